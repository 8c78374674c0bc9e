import { describe, expect, it } from 'vitest'
import { createBytePlane } from '../../image/raster.ts'
import type { BytePlane, RgbImage } from '../../image/raster.ts'
import { paintPlane, paintRgb } from '../../testing/test-images.ts'
import { hairRegionSize, testHairRegion } from '../../testing/test-hair-region.ts'
import { openHair } from './open-hair.ts'
import { unveilHair } from './unveil-hair.ts'

type Colour = readonly [number, number, number]

const size = hairRegionSize
const { centre } = testHairRegion
const hair: Colour = [45, 40, 40]
const wall: Colour = [205, 205, 190]
const skin: Colour = [200, 150, 120]

/** How far a pixel lies from the middle of the face, in pixels of the small photo. */
const away = (x: number, y: number): number => Math.hypot(x - centre.x, y - centre.y)

interface Unveiled {
  image: RgbImage
  alpha: BytePlane
}

interface Scene {
  /** Where the patch is, in the small photo. */
  patchX?: number
  patchY?: number
  /** The hair's colour by its column. */
  inside?: (x: number) => Colour
  behind?: Colour
  /** Colour of the clothes, from a little below the chin on. */
  body?: Colour
}

/** Long hair before a wall, opaque everywhere, with a patch of a colour. */
function unveiled(patch: Colour, scene: Scene = {}): Unveiled {
  const { patchX = 215, patchY = 120, inside = () => hair, behind = wall } = scene
  const { body = [150, 20, 60] } = scene
  const colourAt = (x: number, y: number): Colour =>
    away(x, y) >= 105 ? behind : y > 205 ? body : inside(x)
  const small = paintRgb(size, size, colourAt)
  const matte = paintPlane(size, size, (x, y) => (away(x, y) < 105 ? 1 : 0))
  const colours = openHair(small, matte, { ...testHairRegion, skin })!
  const inPatch = (x: number, y: number): boolean => Math.hypot(x / 3 - patchX, y / 3 - patchY) < 4
  const image = paintRgb(size * 3, size * 3, (x, y) =>
    inPatch(x, y) ? patch : colourAt(Math.floor(x / 3), Math.floor(y / 3)),
  )
  const alpha = createBytePlane(size * 3, size * 3)
  alpha.data.fill(255)
  unveilHair(image, alpha, colours)
  return { image, alpha }
}

const at = (x: number, y = 120): number => y * 3 * size * 3 + x * 3
const greenAt = ({ image }: Unveiled, x = 215, y = 120): number => image.data[at(x, y) * 3 + 1]!
const mix = (share: number): Colour => [
  hair[0] + share * (wall[0] - hair[0]),
  hair[1] + share * (wall[1] - hair[1]),
  hair[2] + share * (wall[2] - hair[2]),
]

describe('dark hair before a pale wall', () => {
  it('loses the haze of the wall between fine strands', () => {
    expect(greenAt(unveiled(mix(0.5)))).toBeLessThan(85)
    expect(greenAt(unveiled(mix(0.5)))).toBeGreaterThan(40)
  })

  it('is opened where there is nothing but the wall', () => {
    expect(unveiled(mix(0.98)).alpha.data[at(215)]).toBeLessThan(70)
    expect(unveiled(mix(0.4)).alpha.data[at(215)]).toBe(255)
  })

  it('keeps brighter strands brighter than darker ones', () => {
    const greens = [0, 0.1, 0.15, 0.2, 0.3].map((share) => greenAt(unveiled(mix(share))))
    expect(greens).toEqual(greens.toSorted((a, b) => a - b))
    expect(new Set(greens).size).toBe(greens.length)
  })

  it('keeps what is bright near to the face, as an ear is', () => {
    expect(greenAt(unveiled(mix(0.5), { patchX: 175 }), 175)).toBe(Math.floor(mix(0.5)[1]))
  })

  it('loses it below the chin too, unless the clothes have the colour of the wall', () => {
    const low = { patchX: 198, patchY: 186 }
    expect(greenAt(unveiled(mix(0.5), low), 198, 186)).toBeLessThan(90)
    const white = { ...low, body: wall }
    expect(greenAt(unveiled(mix(0.5), white), 198, 186)).toBeGreaterThan(110)
  })

  it('keeps a clip of another colour', () => {
    expect(greenAt(unveiled([60, 180, 70]))).toBe(180)
  })
})

describe('hair that stays as it is', () => {
  it('is hair with white strands of its own', () => {
    const grey = (x: number): Colour => (Math.floor(x / 6) % 4 === 0 ? [150, 148, 145] : hair)
    expect(greenAt(unveiled(mix(0.6), { inside: grey }))).toBe(Math.floor(mix(0.6)[1]))
  })

  it('is fair hair', () => {
    const fair: Colour = [180, 150, 110]
    expect(greenAt(unveiled([190, 175, 145], { inside: () => fair }))).toBe(175)
  })

  it('is dark hair before what is darker', () => {
    expect(
      greenAt(unveiled([70, 68, 66], { inside: () => [120, 115, 112], behind: [10, 10, 12] })),
    ).toBe(68)
  })
})
