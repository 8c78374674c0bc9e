import type { PhotoHint, PhotoRefusal } from './photo-error.ts'

/** A face in an upright photo; the box is in fractions (0 to 1) of its width and height. */
export interface InspectedFace {
  x: number
  y: number
  width: number
  height: number
  /** The largest and most central one, which a picture is made of when nobody names another. */
  isMain: boolean
  /** Indexes of the faces whose people touch this one. */
  touches?: number[]
  /** Why no picture can be made of this face; empty where one can. */
  refusals: PhotoRefusal[]
  /** What would make a better picture of this face. */
  hints: PhotoHint[]
}

/** What was found in a photo. */
export interface PhotoInspection {
  widthPx: number
  heightPx: number
  faces: InspectedFace[]
  /** What would refuse the photo; empty when it can be used. */
  refusals: PhotoRefusal[]
  hints: PhotoHint[]
}
