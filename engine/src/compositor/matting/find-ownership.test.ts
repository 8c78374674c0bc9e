import { describe, expect, it } from 'vitest'
import { findOwnership } from './find-ownership.ts'
import { buildPyramid } from '../../image/pyramid.ts'
import { layOut } from '../layout/layout.ts'
import { traceSilhouette } from './silhouette.ts'
import { ownershipAt, splitNeighbours } from './split-neighbours.ts'
import { headAt } from '../../testing/test-heads.ts'
import { paintPlane, paintRgb } from '../../testing/test-images.ts'

const own = headAt(240, 120, 80)
const other = headAt(120, 110, 80)

const isHead = (x: number, y: number): boolean =>
  Math.hypot((x - 240) / 44, (y - 120) / 64) < 1 || Math.hypot((x - 120) / 44, (y - 110) / 64) < 1
// The other's blue sleeve lies before the own white shirt, far beyond the middle between both.
const isBlue = (x: number, y: number): boolean => y > 175 && x < 205
const isBody = (x: number, y: number): boolean => y > 175 && x > 30 && x < 330

const photo = buildPyramid(
  paintRgb(360, 320, (x, y) => {
    if (isHead(x, y)) return [190, 140, 120]
    if (!isBody(x, y)) return [90, 120, 80]
    return isBlue(x, y) ? [40, 60, 170] : [225, 225, 220]
  }),
)

/** Patches of blue, yellow and white. */
const patchAt = (x: number, y: number): readonly [number, number, number] =>
  (
    [
      [40, 60, 170],
      [230, 190, 60],
      [225, 225, 220],
    ] as const
  )[(Math.floor(x / 9) * 7 + Math.floor(y / 9) * 5) % 3]!

/** Whoever's face is at `frontX` wears patches, and hides the other's white shirt. */
const patchesBeforeWhite = (frontX: number) =>
  buildPyramid(
    paintRgb(360, 320, (x, y) => {
      if (isHead(x, y)) return [190, 140, 120]
      if (!isBody(x, y)) return [90, 120, 80]
      return Math.abs(x - frontX) < 106 ? patchAt(x, y) : [225, 225, 220]
    }),
  )

const peopleAt = (
  map: { a: number; tx: number; ty: number },
  width: number,
  height: number,
): ReturnType<typeof paintPlane> =>
  paintPlane(width, height, (x, y) => {
    const [px, py] = [map.a * (x + 0.5) + map.tx, map.a * (y + 0.5) + map.ty]
    return isHead(px, py) || isBody(px, py) ? 1 : 0
  })

describe('people who touch', () => {
  const ownership = findOwnership(photo, peopleAt, [own], [other])
  const at = (x: number, y: number): number | undefined => ownershipAt(ownership, x, y)

  it('are parted where the colour changes, and not half-way between their heads', () => {
    expect(at(195, 260)).toBeLessThan(0.1)
    expect(at(215, 260)).toBeGreaterThan(0.9)
    expect(at(300, 260)).toBeGreaterThan(0.9)
    expect(at(60, 260)).toBeLessThan(0.1)
  })

  it('keep their heads', () => {
    expect(at(240, 120)).toBe(1)
    expect(at(120, 110)).toBe(0)
  })

  it('are parted at the outline of whoever stands in front, whatever they wear', () => {
    const before = findOwnership(patchesBeforeWhite(240), peopleAt, [own], [other])
    expect(ownershipAt(before, 150, 260)).toBeGreaterThan(0.9)
    expect(ownershipAt(before, 120, 260)).toBeLessThan(0.1)
    const behind = findOwnership(patchesBeforeWhite(120), peopleAt, [own], [other])
    expect(ownershipAt(behind, 210, 260)).toBeLessThan(0.1)
    expect(ownershipAt(behind, 240, 260)).toBeGreaterThan(0.9)
  })

  it('are never both seen but at a narrow seam', () => {
    const row = Array.from({ length: 240 }, (_, n) => at(70 + n, 260)!)
    expect(row.filter((share) => share > 0.02 && share < 0.98).length).toBeLessThan(5)
  })

  it('keep a chest under a head between two others, whose clothes seem to fill it', () => {
    const heads = [headAt(180, 120, 80), headAt(95, 130, 80), headAt(265, 130, 80)] as const
    const isFace = (x: number, y: number): boolean =>
      heads.some(({ centre }) => Math.hypot((x - centre.x) / 40, (y - centre.y) / 54) < 1)
    const all = (map: { a: number; tx: number; ty: number }, width: number, height: number) =>
      paintPlane(width, height, (x, y) => {
        const [px, py] = [map.a * (x + 0.5) + map.tx, map.a * (y + 0.5) + map.ty]
        return isFace(px, py) || (py > 165 && px > 20 && px < 340) ? 1 : 0
      })
    const hugged = buildPyramid(
      paintRgb(360, 320, (x, y) => {
        if (isFace(x, y)) return [190, 140, 120]
        if (y <= 165 || x <= 20 || x >= 340) return [20, 20, 25]
        return x < 180 ? [225, 225, 220] : [230, 190, 60]
      }),
    )
    const between = findOwnership(hugged, all, [heads[0]], heads.slice(1))
    const chest = [140, 160, 180, 200, 220].map((x) => ownershipAt(between, x, 220)!)
    expect(chest.filter((share) => share > 0.5).length).toBeGreaterThanOrEqual(2)
  })

  it('leave a seam that the layout hides behind the star or outside of the picture', () => {
    const whole = { a: 1, b: 0, tx: 0, ty: 0 }
    const people = peopleAt(whole, 360, 320)
    const mine = { ...people, data: people.data.slice() }
    splitNeighbours(mine, whole, [own], { others: [other], ownership })
    const silhouette = traceSilhouette(mine, [own], { width: 360, height: 320 }, people)
    expect(silhouette.seams.length).toBeGreaterThan(50)
    expect(silhouette.seams.every(({ x }) => Math.abs(x - 205) < 40)).toBe(true)
    const user = { head: own, heads: [own], silhouette }
    const star = { ...user, silhouette: { ...silhouette, seams: [], cuts: [] } }
    // The seam is at the user's left, so the star stands there.
    expect(layOut([user, star], 1024, 1280).leftToRight).toEqual([1, 0])
  })
})
