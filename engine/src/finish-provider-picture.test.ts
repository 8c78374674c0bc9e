import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { createEngine } from './engine.ts'

const engine = createEngine()
afterAll(() => engine.close())

const request = {
  headCount: 2,
  watermarkText: 'starside.example',
  systemVersion: '1.2.3',
  provider: 'fal',
  model: 'fal-ai/nano-banana/edit',
}
const fixture = (name: string) => readFile(new URL(`../fixtures/${name}`, import.meta.url))

/** Two portraits side by side, as a hosted model's picture. */
async function twoPeople(): Promise<Sharp> {
  const halves = await Promise.all(
    ['user-4.jpg', 'star-zuvia-cutout.webp'].map(async (name) =>
      sharp(await fixture(name))
        .autoOrient()
        .resize(640, 800, { fit: 'cover', position: 'top' })
        .flatten({ background: '#ccc' })
        .toBuffer(),
    ),
  )
  return sharp({ create: { width: 1280, height: 800, channels: 3, background: '#ccc' } }).composite(
    halves.map((input, index) => ({ input, left: index * 640, top: 0 })),
  )
}

test('a hosted model’s picture is finished like our own, and keeps nothing of its file', async () => {
  const png = await (
    await twoPeople()
  )
    .withExif({ IFD0: { Copyright: 'the vendor' } })
    .png()
    .toBuffer()
  const selfie = await engine.finishProviderPicture({ bytes: png, ...request })
  expect(selfie).toMatchObject({
    widthPx: 1280,
    heightPx: 800,
    provider: 'fal',
    model: 'fal-ai/nano-banana/edit',
  })
  const { format, exif, xmp } = await sharp(selfie.clean).metadata()
  expect([format, exif]).toEqual(['jpeg', undefined])
  expect(xmp?.toString()).toContain('compositeWithTrainedAlgorithmicMedia')
  expect(Buffer.from(selfie.watermarked).equals(Buffer.from(selfie.clean))).toBe(false)
})

test('a picture with one face or none is refused', async () => {
  const one = await sharp(await fixture('user-4.jpg'))
    .jpeg()
    .toBuffer()
  const none = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#567' } })
    .jpeg()
    .toBuffer()
  for (const bytes of [one, none]) {
    await expect(engine.finishProviderPicture({ bytes, ...request })).rejects.toMatchObject({
      name: 'PictureError',
      fault: 'faces_missing',
    })
  }
})

test('what is no picture, is cut off, too small or a bomb is refused before it is decoded', async () => {
  const whole = await (await twoPeople()).jpeg().toBuffer()
  const small = await sharp(whole).resize(300).jpeg().toBuffer()
  const bomb = await sharp({
    create: { width: 12_000, height: 12_000, channels: 3, background: '#000' },
  })
    .png({ compressionLevel: 9 })
    .toBuffer()
  for (const [bytes, fault] of [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'picture_damaged'],
    [Buffer.alloc(0), 'picture_damaged'],
    [whole.subarray(0, whole.length / 2), 'picture_damaged'],
    [small, 'picture_too_small'],
    [bomb, 'picture_too_large'],
    [Buffer.alloc(33 * 1024 * 1024, 0xff), 'picture_too_large'],
  ] as const) {
    await expect(engine.finishProviderPicture({ bytes, ...request })).rejects.toMatchObject({
      fault,
    })
  }
})
