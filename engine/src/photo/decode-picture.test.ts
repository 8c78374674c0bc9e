import sharp from 'sharp'
import { expect, test } from 'vitest'
import { pngClaiming } from '../testing/png-claiming.ts'
import { decodePicture } from './decode-picture.ts'
import { PictureError } from './picture-error.ts'

const flat = (width: number, height: number, background = '#c03020') =>
  sharp({ create: { width, height, channels: 4, background } })
const jpeg = (width: number, height: number) => flat(width, height).jpeg().toBuffer()

const refusal = async (bytes: Uint8Array, options?: { sidePxMin: number }) => {
  try {
    const { widthPx, heightPx } = await decodePicture(bytes, options)
    return `${widthPx} × ${heightPx}`
  } catch (error) {
    return error instanceof PictureError ? error.fault : 'another error'
  }
}

test('a vendor’s picture has 512 pixels a side at least, or as many as are asked for', async () => {
  expect(await refusal(await jpeg(512, 600))).toBe('512 × 600')
  expect(await refusal(await jpeg(511, 600))).toBe('picture_too_small')
  expect(await refusal(await jpeg(511, 600), { sidePxMin: 256 })).toBe('511 × 600')
  expect(await refusal(await jpeg(600, 255), { sidePxMin: 256 })).toBe('picture_too_small')
})

test('a longer side than 2,048 pixels is brought down to them', async () => {
  expect(await refusal(await jpeg(2048, 1024))).toBe('2048 × 1024')
  expect(await refusal(await jpeg(4096, 2048))).toBe('2048 × 1024')
})

test('neither 32 megabytes nor 40 million pixels are exceeded, whatever lies in them', async () => {
  const picture = await jpeg(600, 600)
  const padded = (bytes: number) => Buffer.concat([picture, Buffer.alloc(bytes - picture.length)])
  expect(await refusal(padded(32 * 1024 * 1024))).toBe('600 × 600')
  expect(await refusal(padded(32 * 1024 * 1024 + 1))).toBe('picture_too_large')
  expect(await refusal(pngClaiming(8_000, 5_001, 100))).toBe('picture_too_large')
  expect(await refusal(pngClaiming(8_000, 5_000, 100))).toBe('picture_damaged')
})

test('nothing, a GIF and half a picture are damaged', async () => {
  const gif = await flat(600, 600).gif().toBuffer()
  const picture = await jpeg(1_200, 1_200)
  for (const bytes of [Buffer.alloc(0), gif, picture.subarray(0, picture.length / 2)]) {
    expect(await refusal(bytes)).toBe('picture_damaged')
  }
})

test('what can be seen through lies on white, and what was turned stands upright', async () => {
  const clear = await flat(600, 700, '#c0302000').png().toBuffer()
  const { pixels, widthPx } = await decodePicture(clear)
  expect([...pixels.subarray(0, 3), widthPx]).toEqual([255, 255, 255, 600])
  const turned = await flat(700, 600).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  expect(await refusal(turned)).toBe('600 × 700')
})
