import { describe, expect, it } from 'vitest'
import { createBytePlane } from '../../image/raster.ts'
import type { BytePlane, RgbImage } from '../../image/raster.ts'
import { paintPlane, paintRgb } from '../../testing/test-images.ts'
import { hairRegionSize, testHairRegion } from '../../testing/test-hair-region.ts'
import { despillHair } from './despill-hair.ts'
import { openHair } from './open-hair.ts'

type Colour = readonly [number, number, number]

const size = hairRegionSize
const { skin } = testHairRegion
const hair: Colour = [70, 45, 35]
const sky: Colour = [120, 170, 230]
const inHead = (x: number, y: number): boolean => Math.hypot(x - 120, y - 110) < 70

/** A head of hair before a background, all of one alpha, with a patch of another colour in its rim. */
function despilled(background: Colour, patch: Colour): { image: RgbImage; alpha: BytePlane } {
  const small = paintRgb(size, size, (x, y) => (inHead(x, y) ? hair : background))
  const matte = paintPlane(size, size, (x, y) => (inHead(x, y) ? 1 : 0))
  const colours = openHair(small, matte, testHairRegion)!
  const inPatch = (x: number, y: number): boolean => Math.hypot(x - 3 * 180, y - 3 * 110) < 12
  const image = paintRgb(size * 3, size * 3, (x, y) => (inPatch(x, y) ? patch : hair))
  const alpha = createBytePlane(size * 3, size * 3)
  alpha.data.fill(255)
  despillHair(image, alpha, colours)
  return { image, alpha }
}

const patchAt = 110 * 3 * size * 3 + 180 * 3
const colourOf = ({ data }: RgbImage): number[] => [...data.subarray(patchAt * 3, patchAt * 3 + 3)]
const half: Colour = [95, 108, 133]

describe('hair under the sky', () => {
  it('loses the sky that is mixed into it', () => {
    const { image, alpha } = despilled(sky, half)
    const [red, green, blue] = colourOf(image)
    expect(red! - blue!).toBeGreaterThan(0)
    expect(green!).toBeLessThan(80)
    expect(alpha.data[patchAt]).toBeGreaterThan(250)
  })

  it('opens where there is nothing but sky', () => {
    const { alpha } = despilled(sky, [118, 168, 226])
    expect(alpha.data[patchAt]).toBeLessThan(70)
  })

  it('keeps the shine of the sun, which has another hue', () => {
    const shine: Colour = [190, 150, 95]
    const { image, alpha } = despilled(sky, shine)
    for (const [c, value] of colourOf(image).entries()) expect(value).toBeCloseTo(shine[c]!, -1)
    expect(alpha.data[patchAt]).toBe(255)
  })

  it.each([
    ['skin', [230, 190, 170], skin],
    ['hair before a grey wall', [120, 118, 116], [95, 85, 78]],
  ] as const)('leaves %s as it is', (_, background, patch) => {
    expect(colourOf(despilled(background, patch).image)).toEqual([...patch])
  })
})
