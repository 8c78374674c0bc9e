import { describe, expect, test } from 'vitest'
import { developLook } from './develop-look.ts'
import type { RawPicture } from './raw-picture.ts'

/** A picture of one colour. */
function flat(red: number, green: number, blue: number, sidePx = 320): RawPicture {
  const pixels = new Uint8Array(sidePx * sidePx * 3)
  for (let i = 0; i < pixels.length; i += 3) pixels.set([red, green, blue], i)
  return { pixels, widthPx: sidePx, heightPx: sidePx }
}

/** The mean colour of a square in a picture, from its left and top on. */
function meanOf({ pixels, widthPx }: RawPicture, from = 0, sidePx = widthPx): number[] {
  const sums = [0, 0, 0]
  for (let y = from; y < from + sidePx; y++) {
    for (let x = from; x < from + sidePx; x++) {
      for (const channel of sums.keys()) sums[channel]! += pixels[(y * widthPx + x) * 3 + channel]!
    }
  }
  return sums.map((sum) => sum / sidePx ** 2)
}

test('a natural picture stays as it is', async () => {
  const picture = flat(120, 90, 60)
  expect(await developLook(picture, { look: 'natural', seed: 1 })).toBe(picture)
})

test('warmth moves red up and blue down, and leaves the given picture alone', async () => {
  const picture = flat(100, 100, 100)
  const warmer = await developLook(picture, { look: 'natural', warmth: 1, seed: 1 })
  expect(warmer.pixels.slice(0, 3)).toEqual(new Uint8Array([111, 100, 89]))
  expect(picture.pixels[0]).toBe(100)
})

describe('black and white', () => {
  test('leaves one tint of all colours, and lighter ones lighter', async () => {
    const means = []
    for (const [red, green, blue] of [
      [200, 30, 30],
      [90, 140, 220],
      [240, 220, 200],
    ] as const) {
      const [r, g, b] = meanOf(
        await developLook(flat(red, green, blue), { look: 'black-and-white', seed: 3 }),
      )
      expect(r! - g!).toBeCloseTo(2, 0)
      expect(g! - b!).toBeCloseTo(3, 0)
      means.push(g!)
    }
    expect(means).toEqual(means.toSorted((one, other) => one - other))
  })

  test('has a grain that is the same for the same seed alone', async () => {
    const develop = async (seed: number) =>
      (await developLook(flat(128, 128, 128), { look: 'black-and-white', seed })).pixels
    const [one, again, other] = [await develop(5), await develop(5), await develop(6)]
    expect(Buffer.compare(one, again)).toBe(0)
    expect(Buffer.compare(one, other)).not.toBe(0)
  })

  test('has the strongest grain in the middle tones, and more of it in a larger picture', async () => {
    const spread = async (level: number, sidePx: number) => {
      const picture = flat(level, level, level, sidePx)
      const { pixels } = await developLook(picture, { look: 'black-and-white', seed: 9 })
      const values = pixels.filter((_, i) => i % 3 === 1)
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
      return Math.sqrt(squares / values.length)
    }
    expect(await spread(118, 1280)).toBeCloseTo(8.5, 0)
    expect(await spread(245, 1280)).toBeLessThan(4)
    expect(await spread(118, 512)).toBeLessThan(6)
  })
})

test.each(['warm', 'muted'] as const)(
  '%s moves all colours nearer to each other, and darkens corners',
  async (look) => {
    const [red, blue] = [flat(200, 60, 60), flat(60, 60, 200)]
    const developed = await Promise.all(
      [red, blue].map(async (picture) => meanOf(await developLook(picture, { look, seed: 2 }))),
    )
    const apart = ([one, other]: readonly number[][]) => Math.abs(one![0]! - other![0]!)
    expect(apart(developed)).toBeLessThan(0.7 * apart([meanOf(red), meanOf(blue)]))
    const grey = await developLook(flat(180, 180, 180), { look, seed: 2 })
    const [corner, middle] = [meanOf(grey, 0, 40), meanOf(grey, 140, 40)]
    expect(corner[1]! / middle[1]!).toBeLessThan(0.95)
  },
)

test('warm leaves red red and blue blue', async () => {
  const develop = async (picture: RawPicture) =>
    meanOf(await developLook(picture, { look: 'warm', seed: 2 }))
  const [red, , itsBlue] = await develop(flat(200, 60, 60))
  const [itsRed, , blue] = await develop(flat(60, 60, 200))
  expect(red! - itsBlue!).toBeGreaterThan(80)
  expect(blue! - itsRed!).toBeGreaterThan(60)
})

test('an instant picture has the colours of a muted one', async () => {
  const develop = async (look: 'instant' | 'muted') =>
    (await developLook(flat(90, 120, 180), { look, seed: 4 })).pixels
  expect(Buffer.compare(await develop('instant'), await develop('muted'))).toBe(0)
})
