import type { InspectedFace } from '../engine.ts'
import type { NormalisedPhoto, Scene } from '../image-provider.ts'
import type { PhotoHint, PhotoRefusal } from '../photo/photo-error.ts'
import type { ColourPlanes } from './background.ts'
import type { CutOut } from './blend.ts'
import type { LayoutSubject } from './layout.ts'
import type { LightMeasure } from './measure-light.ts'
import type { Texture } from './measure-noise.ts'
import type { BytePlane, RgbImage } from './raster.ts'
import type { BodyStretch } from './stretch-body.ts'
import type { Similarity } from './warp.ts'

/** What the parent asks of a thread. A session is one photo that the thread keeps. */
export type ThreadRequest =
  | { kind: 'read'; session: number; photo: NormalisedPhoto; faceIndex: number | undefined }
  | { kind: 'inspect'; photo: NormalisedPhoto; faceIndex: number | undefined }
  | {
      kind: 'cut'
      session: number
      toPicture: Similarity
      stretch: BodyStretch | undefined
      width: number
      height: number
      /** Whether the background is wanted from this photo too. */
      withBackground: boolean
    }
  | {
      kind: 'blend'
      /** Planes from the user's photo, or the scene to be drawn. */
      background: ColourPlanes | Exclude<Scene, 'own'>
      back: BlendPerson
      front: BlendPerson
      grain: number
    }
  | { kind: 'drop'; session: number }

export interface BlendPerson extends CutOut {
  /** Gaussian blur that brings the sharper person to the softer one; 0 for none. */
  blurSigma: number
}

export interface ReadResult extends LayoutSubject {
  refusals: PhotoRefusal[]
  light: LightMeasure
  sharpness: number
  width: number
  height: number
}

export interface CutResult {
  image: RgbImage
  alpha: BytePlane
  background: ColourPlanes | undefined
  texture: Texture
}

export interface InspectResult {
  faces: InspectedFace[]
  refusals: PhotoRefusal[]
  hints: PhotoHint[]
}

export interface ThreadEnvelope {
  id: number
  request: ThreadRequest
  /** One flag shared with the parent: not 0 when the work is no longer wanted. */
  cancelled: Int32Array
}

export type ThreadAnswer = { id: number; result: unknown } | { id: number; error: Error }
