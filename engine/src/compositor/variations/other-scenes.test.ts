import { expect, test } from 'vitest'
import { testReading } from '../../testing/test-reading.ts'
import { drawnScenes } from '../background/drawn-scenes.ts'
import { lightOfScene } from '../relight/plan-scene-relight.ts'
import type { ReadResult } from '../thread-messages.ts'
import { inOtherScenes } from './other-scenes.ts'

/** Somebody in the light of the red carpet. */
const user: ReadResult = {
  ...testReading,
  faceLight: {
    ...testReading.faceLight,
    coefficients: [...lightOfScene(drawnScenes['red-carpet'].light, 1)],
  },
}

/** The scenes that are offered, the best first. */
function offered(overhead: number): string[] {
  const arrangement = {
    aspect: '4:5',
    scene: 'own',
    subjects: [],
    frontToBack: [],
    light: 1,
    blur: 0.5,
  }
  const sunlit = { ...user, light: { ...user.light, overhead } }
  const places = inOtherScenes(
    [{ arrangement, cost: 0 } as never],
    { scene: 'own', aspect: '4:5' },
    sunlit,
    {
      hasBackground: true,
      scenesMax: 8,
    },
  )
  return places.map((each) => each.arrangement.scene)
}

test('to somebody in hard sun, places in the sun are offered before those without', () => {
  expect(offered(5).slice(0, 2).toSorted()).toEqual(['stadium', 'sunny-street'])
  expect(offered(5)).toHaveLength(8)
})

test('to somebody in soft light, the places whose light is nearest are offered first', () => {
  expect(offered(0)[0]).toBe('red-carpet')
})
