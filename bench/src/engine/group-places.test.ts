import { expect, test } from 'vitest'
import { applySimilarity } from '@starside/engine/image/warp.ts'
import { placeInGroup } from './group-places.ts'

/** A portrait of 1000 pixels' width whose photo goes on so many head sizes below the face. */
function portrait(below: number, roll = 0) {
  const size = 300
  return { head: { centre: { x: 480, y: 400 }, size, roll }, height: 400 + below * size }
}

test('nobody of a composed group ends above its lower border, however a head is tilted', () => {
  const portraits = [portrait(1.4, 0.2), portrait(1.1, -0.25), portrait(2, 0.1)]
  const { height, toGroup } = placeInGroup(portraits, 1.2)
  for (const [n, each] of portraits.entries()) {
    for (const x of [0, 1000]) {
      expect(applySimilarity(toGroup[n]!, { x, y: each.height }).y).toBeGreaterThanOrEqual(height)
    }
  }
})

test('a composed group goes as far down as its shortest portrait, and no farther than photos do', () => {
  const short = placeInGroup([portrait(1.1), portrait(3)], 1.2).height
  const long = placeInGroup([portrait(5), portrait(5)], 1.2).height
  expect(short / 230).toBeCloseTo(1.35 + 1.1, 1)
  expect(long / 230).toBeCloseTo(4, 1)
})
