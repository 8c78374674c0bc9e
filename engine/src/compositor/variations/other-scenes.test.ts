import { expect, test } from 'vitest'
import { headAt } from '../../testing/test-heads.ts'
import { drawnScenes } from '../background/drawn-scenes.ts'
import { lightOfScene } from '../relight/plan-scene-relight.ts'
import type { ReadResult } from '../thread-messages.ts'
import { inOtherScenes } from './other-scenes.ts'

/** Somebody in the light of the red carpet. */
const head = headAt(200, 200, 160)
const user: ReadResult = {
  refusals: [],
  head,
  heads: [head],
  silhouette: {
    mask: { data: new Uint8Array(1), width: 1, height: 1 },
    maskScale: 400,
    photo: { width: 400, height: 400 },
    top: 100,
    hairLeft: 60,
    hairRight: 60,
    cuts: [],
    seams: [],
  },
  light: {
    sclera: 0.3,
    scleraColour: [1, 1, 1],
    face: 0.3,
    skinColour: [1.2, 0.95, 0.8],
    sideRatio: 0,
    contrast: 2,
    saturation: 0.2,
    black: 0.01,
    behind: 0.3,
    overhead: 0,
  },
  faceLight: {
    coefficients: [...lightOfScene(drawnScenes['red-carpet'].light, 1)],
    residual: 0.2,
    kept: 1,
    clipped: 0,
  },
  sharpness: 3,
  width: 400,
  height: 400,
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
