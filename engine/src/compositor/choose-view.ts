import type { GenerateRequest } from '../image-provider.ts'
import { clamp } from '../image/raster.ts'
import { applySimilarity } from '../image/warp.ts'
import type { BackgroundReading } from './background/background-photo.ts'
import { chooseScene } from './background/choose-scene.ts'
import { photoWindow } from './background/photo-window.ts'
import type { Layout } from './layout/layout.ts'
import type { BackgroundView } from './placed-people.ts'
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
 * @param reading of the background photo, which goes before any scene
 */
export function chooseView(
  { scene: wanted, prompt, userPhoto, seed = 1 }: WantedView,
  subjects: readonly ReadResult[],
  layout: Layout,
  { picture, reading }: { picture: Size; reading: BackgroundReading | undefined },
): BackgroundView {
  const eyes = subjects.map(
    ({ head }, n) => applySimilarity(layout.subjects[n]!.toPicture, head.eyes).y,
  )
  const eyesY = eyes.reduce((sum, y) => sum + y, 0) / (eyes.length * picture.height)
  const horizon = clamp(eyesY + horizonBelowEyes, ...horizonRange)
  if (reading) return { window: photoWindow(reading, picture, horizon) }
  const chosen = chooseScene(wanted, prompt)
  const scene = chosen === 'own' && userPhoto.hasMatte ? 'studio' : chosen
  if (scene === 'own') return 'own'
  return { scene, seed, side: subjects[0]!.light.sideRatio < 0 ? -1 : 1, horizon }
}

interface Size {
  width: number
  height: number
}
