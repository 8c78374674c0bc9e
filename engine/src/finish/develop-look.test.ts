import { readFileSync } from 'node:fs'
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

test.each([
  ['darker', { brightness: -1 }, [36, 162, 255]],
  ['brighter', { brightness: 1 }, [96, 203, 255]],
  ['flatter', { contrast: -1 }, [76, 174, 255]],
  ['of more contrast', { contrast: 1 }, [52, 196, 255]],
] as const)('greys become %s, and white stays', async (_what, change, greys) => {
  for (const [n, level] of [64, 185, 255].entries()) {
    const picture = flat(level, level, level)
    const { pixels } = await developLook(picture, { look: 'natural', ...change, seed: 1 })
    expect(pixels.slice(0, 3)).toEqual(new Uint8Array(3).fill(greys[n]!))
  }
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
    expect(await spread(118, 1280)).toBeCloseTo(3, 0)
    expect(await spread(245, 1280)).toBeLessThan(1.5)
    expect(await spread(118, 512)).toBeLessThan(2.2)
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

/** What CSS makes of a colour by its filters (Filter Effects 1), levels 0…255. */
function filtered(colour: readonly number[], filters: string): number[] {
  const mixed = (from: readonly number[], amount: number, rows: readonly (readonly number[])[]) =>
    rows.map(
      (row, n) =>
        from[n]! * (1 - amount) + amount * row.reduce((sum, part, c) => sum + part * from[c]!, 0),
    )
  const grey = [0.213, 0.715, 0.072]
  const sepia = [
    [0.393, 0.769, 0.189],
    [0.349, 0.686, 0.168],
    [0.272, 0.534, 0.131],
  ]
  let levels = [...colour]
  for (const [, name, value] of filters.matchAll(/(\w+)\(([\d.]+)\)/g)) {
    const amount = Number(value)
    if (name === 'grayscale') levels = mixed(levels, amount, [grey, grey, grey])
    else if (name === 'saturate') levels = mixed(levels, 1 - amount, [grey, grey, grey])
    else if (name === 'sepia') levels = mixed(levels, amount, sepia)
    else if (name === 'contrast') levels = levels.map((level) => (level - 127.5) * amount + 127.5)
    else if (name === 'brightness') levels = levels.map((level) => level * amount)
    else throw new Error(`${name} is unknown here`)
    levels = levels.map((level) => Math.min(255, Math.max(0, level)))
  }
  return levels
}

test.each(['black-and-white', 'warm', 'muted'] as const)(
  'the interface’s tile of %s has about its colours',
  async (look) => {
    const styles = readFileSync(
      new URL('../../../web/src/ui/dashboard.css', import.meta.url),
      'utf8',
    )
    const filters =
      new RegExp(`look-${look}\\b[^{}]*\\{\\s*filter: ([^;]+);`).exec(styles)?.[1] ?? ''
    for (const colour of [
      [60, 45, 40],
      [205, 160, 140],
      [90, 130, 190],
      [80, 110, 60],
      [235, 232, 225],
    ] as const) {
      const [red, green, blue] = colour
      const developed = meanOf(await developLook(flat(red, green, blue), { look, seed: 1 }))
      const shown = filtered(colour, filters)
      const apart = developed.map((level, n) => Math.abs(level - shown[n]!))
      expect(
        Math.max(...apart),
        `${look} of ${colour.join()}: ${shown.join()} for ${developed.join()}`,
      ).toBeLessThan(18)
    }
  },
)

test.each([512, 1152, 1280, 1536, 1920])(
  'a picture of %i pixels comes out as bright as any other',
  async (widthPx) => {
    const grey = async (side: number) => {
      const strip = { pixels: new Uint8Array(side * 40 * 3).fill(150), widthPx: side, heightPx: 40 }
      return meanOf(await developLook(strip, { look: 'black-and-white', seed: 2 }), 0, 40)[1]!
    }
    expect(Math.abs((await grey(widthPx)) - (await grey(640)))).toBeLessThan(1.5)
  },
)
