import type { SceneView } from './background/draw-scene.ts'
import type { PhotoLight } from './background/light-of-photo.ts'
import { drawnScenes } from './background/drawn-scenes.ts'
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

/** A part of a background photo, with the light of its place. */
export interface PhotoView extends PhotoLight {
  window: Rect
}

/** The light that a view throws on the people; undefined where they keep their own. */
export function lightOfView(view: BackgroundView): PhotoLight | undefined {
  if (view === 'own') return undefined
  return 'scene' in view ? { light: drawnScenes[view.scene].light, side: view.side } : view
}
