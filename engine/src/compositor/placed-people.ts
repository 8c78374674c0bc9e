import type { SceneView } from './background/draw-scene.ts'
import type { Layout } from './layout/layout.ts'
import type { PictureFrames } from './shared-frames.ts'
import type { Rect } from '../image/raster.ts'
import type { ReadResult } from './thread-messages.ts'

/** What is known of a picture once its layout is found. */
export interface PlacedPeople {
  /** The user, or the user and who stays together with them, then the stars. */
  subjects: readonly ReadResult[]
  layout: Layout
  frames: PictureFrames
  view: BackgroundView
}

/** What is seen behind the people: the user's own background without people, a scene, or a photo. */
export type BackgroundView = 'own' | SceneView | PhotoView

/** A part of a background photo. */
export interface PhotoView {
  window: Rect
}
