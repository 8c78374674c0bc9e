import type { EmptyBackground } from './empty-background.ts'
import { measureHead } from '../faces/measure-head.ts'
import { joinHeads } from '../faces/join-heads.ts'
import type { FaceMesh } from '../faces/face-mesh.ts'
import type { Texture } from '../harmonise/measure-noise.ts'
import type { FaceSamples } from '../relight/sample-face.ts'
import type { Frame } from '../shared-frames.ts'
import type { ReadResult } from '../thread-messages.ts'

/**
 * What a picture of the same people can be made of again, whatever the arrangement: everybody cut
 * out, the user's background without people, and all that was measured.
 */
export interface Layers {
  /** The user, or the user and who stays with them, then the stars. */
  subjects: readonly SubjectLayer[]
  /** Undefined where the user's photo brought no background. */
  background: EmptyBackground | undefined
  /** Of a drawn scene's details. */
  seed: number
}

/** One subject, cut out of their photo, at the size that the best picture shows them. */
export interface SubjectLayer {
  /** Own colours with straight alpha; where nobody is, the nearest colours of the person. */
  frame: Frame
  /** The frame's corner in the photo, and its pixels per pixel of the photo. */
  place: { left: number; top: number; scale: number }
  reading: LayerReading
  /** Whether layer and reading show the photo mirrored. */
  mirrored: boolean
}

/** What is known of a subject; all in pixels of the photo. */
export interface LayerReading extends ReadResult, LayerMeasures {}

/** What only the thread knows that cut the subject out. */
export interface LayerMeasures {
  /** Of each member's face; the first one's light stands for all. */
  meshes: readonly FaceMesh[]
  faceSamples: FaceSamples
  /** Of the first face, at so many pixels per pixel of the photo. */
  texture: Texture & { scale: number }
}

/** The heads that follow from the faces of a subject. */
export function headsOf(meshes: readonly FaceMesh[]): Pick<ReadResult, 'head' | 'heads'> {
  const heads = meshes.map(measureHead)
  return { heads, head: joinHeads(heads) }
}
