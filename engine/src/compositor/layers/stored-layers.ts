import type { Rect } from '../../image/raster.ts'
import type { Gain } from '../blend/blend.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import type { LightMeasure } from '../harmonise/measure-light.ts'
import type { Silhouette } from '../matting/silhouette.ts'
import type { SubjectLayer } from './layers.ts'

/**
 * The header of stored layers. The sections are, for each subject, a JPEG of the colours, the matte
 * and the silhouette's mask (both compressed), then the background's JPEG and what of it is known.
 */
export interface StoredHeader {
  seed: number
  subjects: readonly StoredSubject[]
  background: StoredBackground | null
}

export interface StoredSubject extends Pick<SubjectLayer, 'place'> {
  photoWidth: number
  photoHeight: number
  width: number
  height: number
  heads: readonly HeadMeasure[]
  light: LightMeasure
  silhouette: Omit<Silhouette, 'mask' | 'photo'> & { maskWidth: number; maskHeight: number }
}

export interface StoredBackground {
  width: number
  height: number
  region: Rect
  /** Null: the user was in the photo. */
  gain: Gain | null
}
