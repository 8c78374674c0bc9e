import { expect, test } from 'vitest'
import type { RawPicture } from '@starside/engine/finish/raw-picture.ts'
import { addTile } from './add-tile.ts'
import { tileSide } from './mark-pattern.ts'

const flat = (widthPx: number, heightPx: number): RawPicture => {
  return { pixels: new Uint8Array(widthPx * heightPx * 3).fill(128), widthPx, heightPx }
}
const planeOf = (width: number, height: number, level: (x: number, y: number) => number) => {
  const data = Float32Array.from({ length: width * height }, (_, at) =>
    level(at % width, Math.floor(at / width)),
  )
  return { data, width, height }
}
const tileOf = (level: (x: number, y: number) => number) =>
  Float64Array.from({ length: tileSide ** 2 }, (_, at) =>
    level(at % tileSide, Math.floor(at / tileSide)),
  )

test('a picture of the grid’s size gets each cell of the tile at its own place, again and again', () => {
  const [width, height] = [160, 200]
  const level = (x: number, y: number) => ((x * 7 + y * 13) % 41) - 20
  const full = planeOf(width, height, () => 1)
  const { pixels } = addTile(flat(width, height), tileOf(level), full, 1)
  for (let at = 0; at < width * height; at++) {
    const expected = 128 + level((at % width) % tileSide, Math.floor(at / width) % tileSide)
    expect(Math.abs(pixels[at * 3]! - expected), `pixel ${at}`).toBeLessThanOrEqual(1)
  }
})

test('between the cells of the mask, its levels lie between theirs', () => {
  const stripes = planeOf(64, 64, (x) => (x % 2) * 40)
  const { pixels } = addTile(
    flat(128, 128),
    tileOf(() => 1),
    stripes,
    1,
  )
  const from20 = pixels.subarray((64 * 128 + 20) * 3)
  for (const [at, level] of [10, 10, 30, 30].entries()) {
    expect(Math.abs(from20[at * 3]! - 128 - level), `pixel ${20 + at}`).toBeLessThanOrEqual(1)
  }
})

test('what is weaker than a level is not lost, and its noise does not come again further down', () => {
  const full = planeOf(128, 128, () => 1)
  const { pixels } = addTile(
    flat(128, 128),
    tileOf(() => 0.5),
    full,
    1,
  )
  const half = pixels.length / 2
  const brighter = pixels.filter((value) => value === 129).length / pixels.length
  expect(brighter).toBeCloseTo(0.5, 1)
  expect(Buffer.from(pixels.subarray(0, half)).equals(pixels.subarray(half))).toBe(false)
})
