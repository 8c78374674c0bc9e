import type { PhotoRole } from '../photo/photo-error.ts'
import type { SceneView } from './background/draw-scene.ts'
import type { Layout } from './layout/layout.ts'
import type { LitPerson } from './relight/plan-relight.ts'
import type { PictureFrames } from './shared-frames.ts'
import type { ReadResult } from './thread-messages.ts'

/** Both people of one picture. */
export type ByRole<Value> = Record<PhotoRole, Value>

/** What is known of a picture once its layout is found. */
export interface PlacedPeople {
  people: ByRole<ReadResult>
  layout: Layout
  frames: PictureFrames
  view: BackgroundView
}

/** What is seen behind the people: the user's own background without people, or a scene. */
export type BackgroundView = 'own' | SceneView

export function litPerson({ faceLight, head, light }: ReadResult): LitPerson {
  return { faceLight, head, skin: light.face }
}
