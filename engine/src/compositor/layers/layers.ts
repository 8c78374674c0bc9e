import type { CompositorThread } from '../compositor-threads.ts'
import type { EmptyBackground } from './empty-background.ts'
import type { Frame } from '../shared-frames.ts'
import type { ReadResult } from '../thread-messages.ts'

/** What pictures of the same people are made of: cut-outs, the empty background, all measures. */
export interface Layers {
  /** The user, or the user and who stays with them, then the stars. */
  subjects: readonly SubjectLayer[]
  /** Undefined where the user's photo brought no background. */
  background: EmptyBackground | undefined
  /** Of a drawn scene's details. */
  seed: number
}

/** Layers that are being cut out: all about them is known, and their pixels come. */
export interface ComingLayers extends Omit<Layers, 'background'> {
  /** Cuts each out, so that what it is asked for afterwards finds the pixels; undefined: they are there. */
  threads: readonly CompositorThread[] | undefined
  background: Promise<EmptyBackground> | undefined
  /** With their pixels; given up, it rejects once no thread writes into the layers' memory. */
  cut: Promise<Layers>
}

/** One subject, cut out of their photo, at the size that the best picture shows them. */
export interface SubjectLayer {
  /** Own colours with straight alpha; where nobody is, the nearest colours of the person. */
  frame: Frame
  /** The frame's corner in the photo, and its pixels per pixel of the photo. */
  place: { left: number; top: number; scale: number }
  /** All in pixels of the photo. */
  reading: ReadResult
}
