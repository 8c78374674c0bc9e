import type { ColourPlanes } from '../image/colour-planes.ts'
import type { BytePlane, Plane, RgbImage } from '../image/raster.ts'
import { shrinkFor } from './small-planes.ts'

/** A person in the picture's frame, in memory that all threads share. */
export interface Frame {
  image: RgbImage
  alpha: BytePlane
}

/** The memory of one picture in work, shared by all threads. */
export interface PictureFrames {
  /** One for each subject. */
  subjects: readonly Frame[]
  background: ColourPlanes
  picture: RgbImage
}

export type AcquireFrames = (width: number, height: number, subjectCount: number) => PictureFrames

/** Backgrounds are out of focus, so a quarter of the size holds all of them. */
const usualShrink = 4

/**
 * A pool of one picture's memory, so that nothing is copied between threads: the same frames as long
 * as the size is the same, as pictures are made one after the other.
 * @returns acquires the frames for a picture of this size and so many subjects; what they hold is
 * left over from earlier
 */
export function createFramePool(): AcquireFrames {
  let pooled: PictureFrames | undefined
  return (width, height, subjectCount) => {
    if (pooled?.picture.width !== width || pooled.picture.height !== height) {
      const shrink = shrinkFor(usualShrink, { width, height })
      const plane = (): Plane =>
        createSharedPlane(Math.ceil(width / shrink), Math.ceil(height / shrink))
      pooled = {
        subjects: [],
        background: [plane(), plane(), plane()],
        picture: createSharedRgb(width, height),
      }
    }
    const missing = Math.max(0, subjectCount - pooled.subjects.length)
    const more = Array.from({ length: missing }, () => createFrame(width, height))
    pooled = { ...pooled, subjects: [...pooled.subjects, ...more] }
    return pooled
  }
}

/** A frame that all threads see, black and empty. */
export function createFrame(width: number, height: number): Frame {
  return frameIn(new SharedArrayBuffer(width * height * 4), width, height)
}

/** Gives the n-th subject's frame; what it holds is left over from earlier. */
export type AcquireFrame = (n: number, width: number, height: number) => Frame

/**
 * Memory for frames of several sizes, one of each subject at a time. Shared memory is given back only
 * when no thread remembers it, so that new frames would stand beside the old ones.
 * @param pixelsMax a larger frame gets memory of its own
 */
export function createFrameMemory(pixelsMax: number): AcquireFrame {
  const memory: SharedArrayBuffer[] = []
  return (n, width, height) => {
    if (width * height > pixelsMax) return createFrame(width, height)
    return frameIn((memory[n] ??= new SharedArrayBuffer(pixelsMax * 4)), width, height)
  }
}

function frameIn(memory: SharedArrayBuffer, width: number, height: number): Frame {
  const pixels = width * height
  return {
    image: { data: new Uint8Array(memory, 0, pixels * 3), width, height },
    alpha: { data: new Uint8Array(memory, pixels * 3, pixels), width, height },
  }
}

function createSharedRgb(width: number, height: number): RgbImage {
  return { data: new Uint8Array(new SharedArrayBuffer(width * height * 3)), width, height }
}

function createSharedPlane(width: number, height: number): Plane {
  return { data: new Float32Array(new SharedArrayBuffer(width * height * 4)), width, height }
}
