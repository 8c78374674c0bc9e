import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { pngClaiming } from '../testing/png-claiming.ts'
import { normaliseBackground } from './normalise-background.ts'

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#6a8caf' } })

async function animation(): Promise<Buffer> {
  const frames = await Promise.all(
    ['#a33', '#3a3'].map((background) =>
      sharp({ create: { width: 600, height: 600, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  return await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
}

/** Somebody’s head and shoulders, cut out. */
async function cutOut(): Promise<Buffer> {
  const outline = 'M250 300a150 150 0 0 1 300 0v100h120v400H130V400h120z'
  const shape = `<svg width="800" height="800"><path d="${outline}"/></svg>`
  return await sharp(Buffer.from(shape)).png().toBuffer()
}

/** A photo that is to be shown turned by a quarter. */
const turned = (widthPx: number, heightPx: number) =>
  plain(widthPx, heightPx).withMetadata({ orientation: 6 }).jpeg().toBuffer()

describe('a background photo', () => {
  test('needs no face, only enough pixels', async () => {
    const photo = await normaliseBackground(await plain(900, 600).jpeg().toBuffer())
    expect(photo).toMatchObject({ widthPx: 900, heightPx: 600, hasMatte: false })
  })

  test.for([
    ['that is too low', () => plain(900, 500).jpeg().toBuffer(), 'background_too_low'],
    ['that is much too low', () => plain(900, 60).jpeg().toBuffer(), 'background_too_low'],
    ['that is too narrow', () => plain(500, 900).jpeg().toBuffer(), 'background_too_narrow'],
    ['that lies on its side', () => turned(900, 60), 'background_too_narrow'],
    ['of a few pixels', () => plain(90, 60).jpeg().toBuffer(), 'background_too_narrow'],
    ['of a strip', () => plain(9_000, 600).jpeg().toBuffer(), 'background_too_low'],
    ['that moves', animation, 'background_unusable'],
    ['that is cut out', cutOut, 'background_unusable'],
    ['that is a text', async () => Buffer.from('a view of the sea'), 'photo_format'],
    ['that is empty', async () => Buffer.alloc(0), 'photo_empty'],
    ['of too many pixels', async () => pngClaiming(9_000, 9_000, 1_000), 'photo_too_many_pixels'],
  ] as const)('%s is refused', async ([, make, code]) => {
    await expect(normaliseBackground(await make())).rejects.toMatchObject({ code })
  })
})
