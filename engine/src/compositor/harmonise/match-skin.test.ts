import { expect, test } from 'vitest'
import { paintRgb } from '../../testing/test-images.ts'
import { matchSkin, shiftSkin } from './match-skin.ts'
import type { SkinTint } from './measure-light.ts'

const lumaOf = ([red = 0, green = 0, blue = 0]: ArrayLike<number> & Iterable<number>) =>
  0.3 * red + 0.59 * green + 0.11 * blue
const tintOf = (colour: number[]): SkinTint => {
  const luma = lumaOf(colour)
  return { red: colour[0]! - luma, blue: colour[2]! - luma }
}
const strengthOf = ({ red, blue }: SkinTint) => Math.hypot(red, blue)
const hueOf = ({ red, blue }: SkinTint) => Math.atan2(blue, red)

const pink = [226, 182, 172]
const yellow = [190, 150, 104]

/** A row of colours, moved as the skin of the first of two is beside the second. */
function moved(own: number[], other: number[], ...others: number[][]): number[][] {
  const row = [own, ...others]
  const image = paintRgb(row.length, 1, (x) => row[x]! as [number, number, number])
  shiftSkin(image, matchSkin([tintOf(own), tintOf(other)])![0]!)
  return row.map((_, x) => [...image.data.subarray(3 * x, 3 * x + 3)])
}

test('the skins of two photos meet nearly in the middle, in hue and strength, and each keeps its luma', () => {
  const [pinkAfter, yellowAfter] = [moved(pink, yellow)[0]!, moved(yellow, pink)[0]!]
  const apart = (measure: (tint: SkinTint) => number, one: number[], two: number[]) =>
    Math.abs(measure(tintOf(one)) - measure(tintOf(two)))
  for (const measure of [hueOf, (tint: SkinTint) => Math.log(strengthOf(tint))]) {
    const share = apart(measure, pinkAfter, yellowAfter) / apart(measure, pink, yellow)
    expect(share).toBeGreaterThan(0.05)
    expect(share).toBeLessThan(0.25)
  }
  expect(lumaOf(pinkAfter)).toBeCloseTo(lumaOf(pink), 0)
  expect(lumaOf(yellowAfter)).toBeCloseTo(lumaOf(yellow), 0)
})

test('what isn’t as skin is stays: greys, blue cloth, leaves, a strong red', () => {
  const others = [
    [0, 0, 0],
    [120, 120, 120],
    [255, 255, 255],
    [60, 70, 140],
    [80, 140, 60],
    [230, 20, 20],
  ]
  expect(moved(pink, yellow, ...others).slice(1)).toEqual(others)
})

test('lips move with the skin, and stay redder than it', () => {
  const lips = [196, 120, 118]
  const [skin, after] = moved(pink, yellow, lips)
  expect(after).not.toEqual(lips)
  expect(hueOf(tintOf(after!))).toBeGreaterThan(hueOf(tintOf(skin!)))
})

test.each([
  ['a photo in black and white', [150, 150, 150]],
  ['green light', [110, 170, 120]],
  ['blue light', [110, 120, 190]],
])('beside %s nobody’s skin is moved', (_what, colour) => {
  expect(matchSkin([tintOf(pink), tintOf(colour)])).toBeUndefined()
})

test('nobody becomes so pale or strong as a skin of little or much colour would have it', () => {
  const [pale, strong] = [
    { red: 6, blue: -6 },
    { red: 60, blue: -60 },
  ]
  const factors = matchSkin([pale, strong])!.map(({ factor }) => factor)
  expect(factors[0]).toBeCloseTo(1.6)
  expect(factors[1]).toBeCloseTo(1 / 1.6)
})

test('of three all come to one mean', () => {
  const tints = [tintOf(pink), tintOf(yellow), tintOf([200, 160, 130])]
  const hues = matchSkin(tints)!.map(({ from, turn }) => hueOf(from) + turn)
  expect(Math.max(...hues) - Math.min(...hues)).toBeLessThan(0.08)
})
