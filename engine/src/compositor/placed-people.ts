import type { SceneView } from './background/draw-scene.ts'
import type { Layout } from './layout/layout.ts'
import type { PictureFrames } from './shared-frames.ts'
import type { ReadResult } from './thread-messages.ts'

/** What is known of a picture once its layout is found. */
export interface PlacedPeople {
  /** The user, or the user and who stays together with them, then the stars. */
  subjects: readonly ReadResult[]
  layout: Layout
  frames: PictureFrames
  /** What is seen behind the people: the background that was kept, or a scene. */
  view: 'own' | SceneView
}
