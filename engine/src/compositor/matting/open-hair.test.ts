import { describe, expect, it } from 'vitest'
import { openHair } from './open-hair.ts'
import { paintPlane, paintRgb } from '../../testing/test-images.ts'
import { hairRegionSize, testHairRegion } from '../../testing/test-hair-region.ts'

const size = hairRegionSize
const place = testHairRegion
const hair = [50, 35, 30] as const
const sky = [120, 170, 230] as const
const inHead = (x: number, y: number): boolean => Math.hypot(x - 120, y - 110) < 70
/** A gap between strands, open towards the outside, which a network took for hair. */
const inGap = (x: number, y: number): boolean => y > 70 && y < 80 && x > 150
const matte = () => paintPlane(size, size, (x, y) => (inHead(x, y) ? 1 : 0))

/** A colour between those of hair and sky. */
const mix = (share: number): [number, number, number] => [
  hair[0] + share * (sky[0] - hair[0]),
  hair[1] + share * (sky[1] - hair[1]),
  hair[2] + share * (sky[2] - hair[2]),
]

describe('hair', () => {
  it('is opened where the background shows between strands', () => {
    const photo = paintRgb(size, size, (x, y) => (inHead(x, y) && !inGap(x, y) ? hair : sky))
    const opened = matte()
    openHair(photo, opened, place)
    expect(opened.data[75 * size + 165]).toBeLessThan(0.1)
    expect(opened.data[90 * size + 165]).toBe(1)
  })

  it('keeps a shine of the sky that is not open to the outside', () => {
    const inShine = (x: number, y: number): boolean => Math.hypot(x - 120, y - 70) < 9
    const photo = paintRgb(size, size, (x, y) => (inHead(x, y) && !inShine(x, y) ? hair : sky))
    const opened = matte()
    openHair(photo, opened, place)
    expect(opened.data).toEqual(matte().data)
  })

  it('is opened by its share where fine strands before the background are mixed with it', () => {
    const strands = mix(0.75)
    const photo = paintRgb(size, size, (x, y) =>
      inGap(x, y) && inHead(x, y) ? strands : inHead(x, y) ? hair : sky,
    )
    const opened = matte()
    openHair(photo, opened, place)
    expect(opened.data[75 * size + 170]).toBeLessThan(0.5)
  })

  it('is opened where strands close a gap far from the face', () => {
    const inLongHair = (x: number, y: number): boolean => Math.hypot(x - 120, y - 110) < 105
    const inLoop = (x: number, y: number): boolean => Math.hypot(x - 212, y - 110) < 6
    const photo = paintRgb(size, size, (x, y) => (inLongHair(x, y) && !inLoop(x, y) ? hair : sky))
    const opened = paintPlane(size, size, (x, y) => (inLongHair(x, y) ? 1 : 0))
    openHair(photo, opened, place)
    expect(opened.data[110 * size + 212]).toBeLessThan(0.1)
    expect(opened.data[110 * size + 221]).toBe(1)
  })

  it.each([
    ['an ear before a wall of the colour of skin', [205, 160, 135]],
    ['hair before a wall that is nearly as dark', [80, 60, 55]],
  ] as const)('is left as it is at %s', (_, wall) => {
    const photo = paintRgb(size, size, (x, y) => (inHead(x, y) && !inGap(x, y) ? hair : wall))
    const opened = matte()
    openHair(photo, opened, place)
    expect(opened.data).toEqual(matte().data)
  })

  it('leaves a raised shoulder whose clothes are of the colour of the background', () => {
    const inBody = (x: number, y: number): boolean => y > 190 || (x > 175 && y > 150)
    const photo = paintRgb(size, size, (x, y) => (inHead(x, y) && !inBody(x, y) ? hair : sky))
    const person = paintPlane(size, size, (x, y) => (inHead(x, y) || inBody(x, y) ? 1 : 0))
    const opened = { ...person, data: person.data.slice() }
    openHair(photo, opened, place)
    expect(opened.data[160 * size + 185]).toBe(1)
  })
})
