import type { PhotoInspection } from '../photo/inspection.ts'
import type { NormalisedPhoto } from '../image-provider.ts'
import type { PhotoRefusal } from '../photo/photo-error.ts'
import type { ColourVectors } from '../image/colour-vectors.ts'
import type { SceneView } from './background/draw-scene.ts'
import type { CutOut } from './blend/blend.ts'
import type { KeptReading } from './kept-reading.ts'
import type { SubjectLayer } from './layers/layers.ts'
import type { EmptyBackground } from './layers/empty-background.ts'
import type { LayoutSubject } from './layout/layout-subject.ts'
import type { SkinShift } from './harmonise/match-skin.ts'
import type { LightMeasure } from './harmonise/measure-light.ts'
import type { Rect, RgbImage } from '../image/raster.ts'
import type { Frame } from './shared-frames.ts'

/** Finds out all about the people of a photo, and keeps it as a session. */
export interface ReadRequest extends PhotoRequest {
  session: number
  /** What was found out when the same photo was read before. */
  kept: KeptReading | undefined
  /** Whether a copy of what is found out is wanted. */
  keeps: boolean
}

/** A photo of a person, or of several who stay together. */
export interface PhotoRequest {
  photo: NormalisedPhoto
  faceIndexes: readonly number[]
}

/** Cuts the person of a session out into a layer, which no arrangement is needed for. */
export interface CutLayerRequest {
  session: number
  place: SubjectLayer['place']
  /** Takes the person; as large as the layer. */
  frame: Frame
  /** Of the exposure, see `exposureGain`; 1 where it is left out. */
  gain?: number | undefined
  skin?: SkinShift | undefined
}

/** Draws what is behind the people; answers with what the place does to the people. */
export interface DrawBackgroundRequest {
  view: SceneView | OwnView
  /** Takes the background, at a small size. */
  target: ColourVectors
}

/** What of the kept own background is seen. */
export interface OwnView {
  own: EmptyBackground
  /** In pixels of the photo. */
  window: Rect
  /** Blur in pixels of the result. */
  sigma: number
}

/** Blends some rows of the picture. */
export interface BlendRequest {
  background: ColourVectors
  /** Two or more, from the back to the front. */
  people: readonly CutOut[]
  /** The picture, seen by all threads, and the rows of it that this thread blends. */
  picture: RgbImage
  fromRow: number
  toRow: number
}

export interface ReadResult extends LayoutSubject {
  refusals: PhotoRefusal[]
  light: LightMeasure
  width: number
  height: number
}

export type InspectResult = Omit<PhotoInspection, 'widthPx' | 'heightPx'>
