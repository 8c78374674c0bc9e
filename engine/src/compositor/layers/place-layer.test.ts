import { expect, test } from 'vitest'
import { testReading } from '../../testing/test-reading.ts'
import { createFrame } from '../shared-frames.ts'
import type { Frame } from '../shared-frames.ts'
import { coarsestPixel, placeLayer } from './place-layer.ts'

const size = 96

/** Somebody in stripes as wide as a pixel, black to the left of a white half. */
function stripedLayer(): Frame {
  const frame = createFrame(size, size)
  frame.alpha.data.fill(255)
  for (let i = 0; i < size * size; i++) {
    const x = i % size
    frame.image.data.fill(x < size / 2 ? 0 : x % 2 === 0 ? 255 : 155, i * 3, i * 3 + 3)
  }
  return frame
}

/** Draws the layer pixel for pixel; answers with a row of the picture, in levels. */
async function drawnRow(pixelMin: number, flip = false): Promise<number[]> {
  const target = createFrame(size, size)
  const place = { left: 0, top: 0, scale: 1 }
  const layer = { frame: stripedLayer(), place, reading: testReading }
  const toPicture = { a: 1, b: 0, tx: 0, ty: 0 }
  await placeLayer({ layer, toPicture, flip, pixelMin, stretch: undefined, mends: [] }, target)
  const row = target.image.data.subarray((size / 2) * size * 3, (size / 2 + 1) * size * 3)
  return [...row].filter((_, n) => n % 3 === 0)
}

const spread = (levels: readonly number[]): number => Math.max(...levels) - Math.min(...levels)

test('nobody is drawn sharper than the layer with the fewest pixels is', async () => {
  const [white, middle] = [
    [60, 84],
    [44, 52],
  ] as const
  const [sharp, soft] = [await drawnRow(1), await drawnRow(4)]
  expect(spread(sharp.slice(...white)), 'stripes').toBe(100)
  expect(spread(soft.slice(...white)), 'their mean').toBeLessThan(12)
  const stepOf = (row: number[]) =>
    Math.max(...row.slice(...middle).map((level, n) => Math.abs(level - row[middle[0] + n - 1]!)))
  expect(stepOf(soft)).toBeLessThan(stepOf(sharp) / 2)
})

test('who has the fewest pixels, or more of them than the picture, is drawn as they are', async () => {
  expect(await drawnRow(0.4)).toEqual(await drawnRow(1))
})

test('a flipped layer is softened as it stands', async () => {
  const flipped = await drawnRow(4, true)
  expect(flipped.slice(0, 30).every((level) => level > 150)).toBe(true)
  expect(flipped.slice(-30).every((level) => level < 10)).toBe(true)
})

test('the coarsest of several layers is the one that is enlarged most', () => {
  const place = (scale: number) => ({ left: 0, top: 0, scale })
  const placed = [
    { toPicture: { a: 0.6, b: 0, tx: 0, ty: 0 }, place: place(0.5) },
    { toPicture: { a: 0, b: 4, tx: 0, ty: 0 }, place: place(1) },
  ]
  expect(coarsestPixel(placed)).toBe(4)
})
