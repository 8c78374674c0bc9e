import type { SceneView } from './background/draw-scene.ts'
import type { Layout } from './layout/layout.ts'
import type { LitPerson } from './relight/plan-relight.ts'
import type { PictureFrames } from './shared-frames.ts'
import type { ReadResult } from './thread-messages.ts'

/** What is known of a picture once its layout is found. */
export interface PlacedPeople {
  /** The user, or the user and who stays together with them, then the stars. */
  subjects: readonly ReadResult[]
  layout: Layout
  frames: PictureFrames
  view: BackgroundView
}

/** What is seen behind the people: the user's own background without people, or a scene. */
export type BackgroundView = 'own' | SceneView

/** The light of people who stay together is that of the first of them. */
export function litPerson({
  faceLight,
  heads,
  light,
}: Pick<ReadResult, 'faceLight' | 'heads' | 'light'>): LitPerson {
  return { faceLight, head: heads[0]!, skin: light.face }
}
