import type { GenerateRequest } from '../image-provider.ts'
import { clamp } from '../image/raster.ts'
import { applySimilarity } from '../image/warp.ts'
import type { SceneView } from './background/draw-scene.ts'
import { chooseScene } from './background/choose-scene.ts'
import type { Layout } from './layout/layout.ts'
import type { ReadResult } from './thread-messages.ts'

/** The horizon lies a little below the eyes, as the camera is held a little above them. */
const horizonBelowEyes = 0.03
const horizonRange = [0.3, 0.55] as const

/** What a request says of it. */
type WantedView = Pick<GenerateRequest, 'scene' | 'prompt' | 'seed'> & {
  userPhoto: Pick<GenerateRequest['userPhoto'], 'hasMatte'>
}

/**
 * What is seen behind the people. A cut-out has no background of its own to keep, so it is set in
 * the studio. A scene's light comes from where the user's own does.
 */
export function chooseView(
  { scene: wanted, prompt, userPhoto, seed = 1 }: WantedView,
  subjects: readonly ReadResult[],
  layout: Layout,
  picture: { width: number; height: number },
): SceneView | 'own' {
  const chosen = chooseScene(wanted, prompt)
  const scene = chosen === 'own' && userPhoto.hasMatte ? 'studio' : chosen
  if (scene === 'own') return 'own'
  const eyes = subjects.map(
    ({ head }, n) => applySimilarity(layout.subjects[n]!.toPicture, head.eyes).y,
  )
  const eyesY = eyes.reduce((sum, y) => sum + y, 0) / (eyes.length * picture.height)
  const horizon = clamp(eyesY + horizonBelowEyes, ...horizonRange)
  return { scene, seed, side: subjects[0]!.light.sideRatio < 0 ? -1 : 1, horizon }
}
