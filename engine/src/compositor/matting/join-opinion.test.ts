import { describe, expect, test } from 'vitest'
import { createBytePlane, createPlane } from '../../image/raster.ts'
import type { BytePlane } from '../../image/raster.ts'
import { joinCrops } from './join-crops.ts'
import type { SegmentedCrop } from './join-crops.ts'
import { joinOpinion } from './join-opinion.ts'

const side = 128
const photo = { width: 2 * side, height: 2 * side }
const headSize = 60

/** Our matte: a person in the left half up to a column of the photo's half. */
function oursUpTo(column: number): SegmentedCrop[] {
  const matte = createPlane(side, side)
  for (let i = 0; i < matte.data.length; i++) matte.data[i] = i % side < column ? 1 : 0
  return [{ region: { x: 0, y: 0, ...photo }, matte }]
}

function opinionOf(isPerson: (x: number, y: number) => boolean): BytePlane {
  const plane = createBytePlane(side, side)
  for (let i = 0; i < plane.data.length; i++) {
    plane.data[i] = isPerson(i % side, Math.floor(i / side)) ? 255 : 0
  }
  return plane
}

/** The joined matte at a point, in pixels of the opinion. */
function joinedAt(crops: SegmentedCrop[], x: number, y: number): number {
  const map = { xx: 2, xy: 0, x0: 0, yx: 0, yy: 2, y0: 0 }
  return joinCrops(crops, photo, map, side, side).data[y * side + x]!
}

describe('the opinion of another network', () => {
  test('moves an edge by a little', () => {
    const joined = joinOpinion(
      oursUpTo(64),
      opinionOf((x) => x < 67),
      photo,
      headSize,
    )
    expect(joinedAt(joined, 65, 64)).toBeGreaterThan(0.9)
    expect(joinedAt(joined, 75, 64)).toBe(0)
  })

  test('neither adds nor takes what lies away from our edges', () => {
    const odd = opinionOf((x, y) => (x < 64 || x > 118) && !(x < 6 && y < 40))
    const joined = joinOpinion(oursUpTo(64), odd, photo, headSize)
    expect(joined).toHaveLength(2)
    expect(joinedAt(joined, 124, 64)).toBe(0)
    expect(joinedAt(joined, 2, 20)).toBe(1)
  })

  test.each([
    ['nobody', () => false],
    ['everything', () => true],
    ['the opposite', (x: number) => x >= 64],
  ])('that sees %s is not heard', (_what, isPerson) => {
    const ours = oursUpTo(64)
    expect(joinOpinion(ours, opinionOf(isPerson), photo, headSize)).toEqual(ours)
  })

  test('that sees heads too coarsely is not heard', () => {
    const ours = oursUpTo(64)
    const opinion = opinionOf((x) => x < 67)
    expect(joinOpinion(ours, opinion, { width: 8000, height: 8000 }, headSize)).toEqual(ours)
  })
})
