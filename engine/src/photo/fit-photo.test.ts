import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { fitPhoto } from './fit-photo.ts'
import { planFit } from './plan-fit.ts'

const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const shapes = [
  { widthPx: 1024, heightPx: 1280 },
  { widthPx: 1152, heightPx: 1152 },
  { widthPx: 1536, heightPx: 864 },
  { widthPx: 864, heightPx: 1536 },
]
const photos = [
  { widthPx: 2048, heightPx: 1152 },
  { widthPx: 900, heightPx: 2000 },
  { widthPx: 700, heightPx: 700 },
]
const groups = [
  [box(0.02, 0.02, 0.12, 0.2)],
  [box(0.85, 0.75, 0.13, 0.2)],
  [box(0.1, 0.1, 0.8, 0.8)],
  [box(0, 0.4, 0.1, 0.1), box(0.9, 0.45, 0.1, 0.1)],
  [box(0.4, 0, 0.1, 0.1), box(0.4, 0.9, 0.1, 0.1)],
  [],
]

describe('a photo fitted to a shape', () => {
  test.each(shapes)('of %j shows every face whole, wherever it is', (shape) => {
    for (const photo of photos) {
      for (const faces of groups) {
        const window = planFit(photo, faces, shape)
        expect(window.width / window.height).toBeCloseTo(shape.widthPx / shape.heightPx, 6)
        for (const { x, y, width, height } of faces) {
          expect(window.left).toBeLessThanOrEqual(x * photo.widthPx + 0.001)
          expect(window.top).toBeLessThanOrEqual(y * photo.heightPx + 0.001)
          expect(window.left + window.width).toBeGreaterThanOrEqual(
            (x + width) * photo.widthPx - 0.001,
          )
          expect(window.top + window.height).toBeGreaterThanOrEqual(
            (y + height) * photo.heightPx - 0.001,
          )
        }
      }
    }
  })

  test('takes as much of the photo as the shape lets it, around the face', () => {
    const photo = { widthPx: 2000, heightPx: 1000 }
    const window = planFit(photo, [box(0.8, 0.3, 0.1, 0.2)], { widthPx: 500, heightPx: 500 })
    expect(window).toEqual({ left: 1_000, top: 0, width: 1_000, height: 1_000 })
    expect(planFit(photo, [], { widthPx: 500, heightPx: 500 }).left).toBe(500)
  })

  test('has exactly the size, and repeats its edge where heads need more than there is', async () => {
    const photo = await makePhoto(1_000, 400)
    const face = { isMain: true, refusals: [], hints: [] }
    const faces = [
      { ...box(0, 0.2, 0.2, 0.5), ...face },
      { ...box(0.8, 0.2, 0.2, 0.5), ...face },
    ]
    const fitted = await fitPhoto({ photo, faces, size: { widthPx: 864, heightPx: 1536 } })
    expect([fitted.widthPx, fitted.heightPx, fitted.mediaType]).toEqual([864, 1536, 'image/jpeg'])
    const { data } = await sharp(fitted.bytes).raw().toBuffer({ resolveWithObject: true })
    // The left edge is red and the right one blue, at the top too.
    expect([data[0]! > 200, data[(864 - 1) * 3 + 2]! > 200]).toEqual([true, true])
  })
})

test('a photo of too many pixels is made smaller in its own shape', async () => {
  const photo = await makePhoto(2_048, 2_048)
  const fitted = await fitPhoto({ photo, pixelsMax: 4_000_000 })
  expect(fitted.widthPx).toBe(2_000)
  expect(fitted.heightPx).toBe(2_000)
})

/** Red on the left half, blue on the right. */
async function makePhoto(widthPx: number, heightPx: number) {
  const half = { width: Math.floor(widthPx / 2), height: heightPx, channels: 3 } as const
  const bytes = await sharp({
    create: { width: widthPx, height: heightPx, channels: 3, background: '#00f' },
  })
    .composite([{ input: { create: { ...half, background: '#f00' } }, left: 0, top: 0 }])
    .jpeg({ quality: 100 })
    .toBuffer()
  return { bytes, mediaType: 'image/jpeg', widthPx, heightPx, hasMatte: false } as const
}
