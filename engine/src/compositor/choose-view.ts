import type { Scene } from '../image-provider.ts'
import { clamp } from '../image/raster.ts'
import { applySimilarity } from '../image/warp.ts'
import type { SceneView } from './background/draw-scene.ts'
import type { Layout } from './layout/layout.ts'
import type { ReadResult } from './thread-messages.ts'

/** The horizon lies a little below the eyes, as the camera is held a little above them. */
const horizonBelowEyes = 0.03
const horizonRange = [0.3, 0.55] as const

/** What is seen behind the people: the studio for a cut-out; a scene lit from the user's side. */
export function chooseView(
  { scene: wanted, seed, hasOwn }: { scene: Scene; seed: number; hasOwn: boolean },
  subjects: readonly ReadResult[],
  layout: Layout,
  picture: { width: number; height: number },
): SceneView | 'own' {
  const scene = wanted === 'own' && !hasOwn ? 'studio' : wanted
  if (scene === 'own') return 'own'
  const eyes = subjects.map(
    ({ head }, n) => applySimilarity(layout.subjects[n]!.toPicture, head.eyes).y,
  )
  const eyesY = eyes.reduce((sum, y) => sum + y, 0) / (eyes.length * picture.height)
  const horizon = clamp(eyesY + horizonBelowEyes, ...horizonRange)
  return { scene, seed, side: subjects[0]!.light.sideRatio < 0 ? -1 : 1, horizon }
}
