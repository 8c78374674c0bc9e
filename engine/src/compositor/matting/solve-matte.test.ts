import { describe, expect, it } from 'vitest'
import type { Plane, RgbImage } from '../../image/raster.ts'
import { solveMatte } from './solve-matte.ts'
import { createNoise, paintPlane, paintRgb } from '../../testing/test-images.ts'

const side = 90
const headSize = 100

/** Dark hair of a given alpha before a bright sky, with a little noise. */
function hairBeforeSky(exact: Plane): RgbImage {
  const noise = createNoise(5)
  return paintRgb(side, side, (x, y) => {
    const share = exact.data[y * side + x]!
    const grey = 40 * share + 210 * (1 - share)
    return [grey + noise() * 2, grey + noise() * 2, grey + 20 + noise() * 2]
  })
}

function meanError(one: Plane, other: Plane): number {
  return one.data.reduce((sum, value, i) => sum + Math.abs(value - other.data[i]!), 0) / side ** 2
}

describe('solving for a matte', () => {
  const ramp = paintPlane(side, side, (x) => Math.min(1, Math.max(0, (48 - x) / 8)))
  const photo = hairBeforeSky(ramp)

  it('finds the soft end of hair that was taken for a hard edge', () => {
    const hard = paintPlane(side, side, (x) => (x < 44 ? 1 : 0))
    const solved = solveMatte(photo, hard, headSize)
    expect(meanError(solved, ramp)).toBeLessThan(meanError(hard, ramp) / 2)
  })

  it('brings a displaced edge to where the colours change', () => {
    const exact = paintPlane(side, side, (x) => (x < 44 ? 1 : 0))
    const displaced = paintPlane(side, side, (x) => (x < 42 ? 1 : 0))
    const solved = solveMatte(hairBeforeSky(exact), displaced, headSize)
    expect(meanError(solved, exact)).toBeLessThan(meanError(displaced, exact) / 2)
  })

  it('leaves a right matte as it is', () => {
    expect(meanError(solveMatte(photo, ramp, headSize), ramp)).toBeLessThan(0.003)
  })

  it('changes nothing away from edges, and stays within 0 and 1', () => {
    const faint = paintPlane(side, side, (x, y) => (x < 42 ? 1 : y < 45 ? 0.3 : 0))
    const solved = solveMatte(photo, faint, headSize)
    for (let y = 0, i = 0; y < side; y++) {
      for (let x = 0; x < side; x++, i++) {
        if (Math.abs(x - 41.5) > 6) expect(solved.data[i]).toBe(faint.data[i])
        expect(solved.data[i]).toBeGreaterThanOrEqual(0)
        expect(solved.data[i]).toBeLessThanOrEqual(1)
      }
    }
  })

  it('takes a matte without an edge, and one that is smaller than its windows', () => {
    const none = paintPlane(side, side, () => 0.2)
    expect(solveMatte(photo, none, headSize).data).toEqual(none.data)
    const tiny = paintPlane(4, 4, (x) => (x < 2 ? 1 : 0))
    const dots = paintRgb(4, 4, () => [0, 0, 0])
    expect(solveMatte(dots, tiny, headSize).data).toEqual(tiny.data)
  })
})
