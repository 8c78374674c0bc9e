import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { createEngine } from './engine.ts'
import { pngClaiming } from './testing/png-claiming.ts'

const engine = createEngine()
afterAll(() => engine.close())

const request = {
  headCount: 2,
  mayHaveOthers: false,
  watermarkText: 'starside.example',
  systemVersion: '1.2.3',
  provider: 'fal',
  model: 'google/nano-banana-2.1/edit',
}
const fixture = (name: string) => readFile(new URL(`../fixtures/${name}`, import.meta.url))

/** Two portraits side by side, as a hosted model's picture, and perhaps a third at this height. */
async function people(thirdHeightPx = 0): Promise<Sharp> {
  const portraits = [
    ['user-4.jpg', 800],
    ['star-zuvia-cutout.webp', 800],
    ['user-5.jpg', thirdHeightPx],
  ] as const
  const shown = portraits.filter(([, heightPx]) => heightPx > 0)
  const tiles = await Promise.all(
    shown.map(async ([name, heightPx], index) => ({
      input: await sharp(await fixture(name))
        .autoOrient()
        .resize(Math.round(heightPx * 0.8), heightPx, { fit: 'cover', position: 'top' })
        .flatten({ background: '#ccc' })
        .toBuffer(),
      left: index * 640,
      top: 0,
    })),
  )
  const width = 640 * shown.length
  return sharp({ create: { width, height: 800, channels: 3, background: '#ccc' } }).composite(tiles)
}

test('a hosted model’s picture is finished like our own, and keeps nothing of its file', async () => {
  const png = await (
    await people()
  )
    .withExif({ IFD0: { Copyright: 'the vendor' } })
    .png()
    .toBuffer()
  const selfie = await engine.finishProviderPicture({ bytes: png, ...request })
  expect(selfie).toMatchObject({
    widthPx: 1280,
    heightPx: 800,
    provider: 'fal',
    model: 'google/nano-banana-2.1/edit',
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

test('a picture with somebody who was not asked for is refused, but for passers-by', async () => {
  const finish = async (thirdHeightPx: number, mayHaveOthers: boolean) => {
    const bytes = await (await people(thirdHeightPx)).jpeg().toBuffer()
    return await engine.finishProviderPicture({ ...request, bytes, mayHaveOthers })
  }
  await expect(finish(800, false)).rejects.toMatchObject({ fault: 'faces_extra' })
  expect(await finish(800, true)).toMatchObject({ widthPx: 1920 })
  expect(await finish(200, false)).toMatchObject({ widthPx: 1920 })
})

test('what is no picture, is cut off, too small or a bomb is refused before it is decoded', async () => {
  const whole = await (await people()).jpeg().toBuffer()
  const small = await sharp(whole).resize(300).jpeg().toBuffer()
  const bomb = pngClaiming(12_000, 12_000, 1 << 20)
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
