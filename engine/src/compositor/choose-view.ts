import type { Scene } from '../image-provider.ts'
import { applySimilarity } from '../image/warp.ts'
import type { Similarity } from '../image/warp.ts'
import type { SceneView } from './background/draw-scene.ts'
import type { ReadResult } from './thread-messages.ts'

/** How far above the eyes the horizon lies, of the picture's height. */
const cameraAboveEyes = 0.12

/**
 * What is seen behind the people: the studio for a cut-out; a scene lit from the user's side.
 * @param toPicture of each of `subjects`; nobody is mirrored here, so that a flip leaves the place as it was
 */
export function chooseView(
  { scene: wanted, seed, hasOwn }: { scene: Scene; seed: number; hasOwn: boolean },
  subjects: readonly ReadResult[],
  toPicture: readonly Similarity[],
  picture: { width: number; height: number },
): SceneView | 'own' {
  const scene = wanted === 'own' && !hasOwn ? 'studio' : wanted
  if (scene === 'own') return 'own'
  const eyes = subjects.map(({ head }, n) => applySimilarity(toPicture[n]!, head.eyes).y)
  // The camera of a selfie is held above the eyes, so more of the place is seen between the heads.
  const level = eyes.reduce((sum, y) => sum + y, 0) / (eyes.length * picture.height)
  const horizon = level - cameraAboveEyes
  return { scene, seed, side: subjects[0]!.light.sideRatio < 0 ? -1 : 1, horizon }
}
