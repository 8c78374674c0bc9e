import { expect, test } from 'vitest'
import { testReading } from '../../testing/test-reading.ts'
import { inOtherScenes } from './other-scenes.ts'

/** The scenes that are offered, the best first. */
function offered(overhead: number): string[] {
  const arrangement = {
    aspect: '4:5',
    scene: 'own',
    subjects: [],
    frontToBack: [],
    blur: 0.5,
  }
  const sunlit = { ...testReading, light: { ...testReading.light, overhead } }
  const places = inOtherScenes(
    [{ arrangement, cost: 0 } as never],
    { scene: 'own', aspect: '4:5' },
    sunlit,
    {
      hasBackground: true,
      scenesMax: 12,
    },
  )
  return places.map((each) => each.arrangement.scene)
}

test('to somebody in hard sun, places in the sun are offered before those without', () => {
  expect(offered(5).slice(0, 3).toSorted()).toEqual(['meadow', 'stadium', 'sunny-street'])
  expect(offered(5)).toHaveLength(12)
})
