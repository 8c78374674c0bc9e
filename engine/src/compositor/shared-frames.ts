import type { ColourVectors } from '../image/colour-vectors.ts'
import type { BytePlane, RgbImage } from '../image/raster.ts'
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
  background: ColourVectors
  picture: RgbImage
}

export type AcquireFrames = (width: number, height: number, subjectCount: number) => PictureFrames

/** Backgrounds are a little out of focus, so half of the size holds all of them. */
const usualShrink = 2

/**
 * A pool of one picture's memory, so that nothing is copied between threads: the same for pictures of
 * nearly the same size, as they are made one after the other.
 * @returns acquires the frames for a picture of this size and so many subjects; what they hold is
 * left over from earlier
 */
export function createFramePool(): AcquireFrames {
  let memory = new SharedArrayBuffer(0)
  return (width, height, subjectCount) => {
    const shrink = shrinkFor(usualShrink, { width, height })
    const small = { width: Math.ceil(width / shrink), height: Math.ceil(height / shrink) }
    const smallBytes = small.width * small.height * 16
    const frameBytes = width * height * 4
    const bytes = smallBytes + subjectCount * frameBytes + width * height * 3
    // What is left of a much larger picture is given back.
    const isFit = memory.byteLength >= bytes && memory.byteLength <= 2 * bytes
    if (!isFit) memory = new SharedArrayBuffer(bytes)
    const pictureAt = smallBytes + subjectCount * frameBytes
    return {
      background: { data: new Float32Array(memory, 0, smallBytes / 4), ...small },
      subjects: Array.from({ length: subjectCount }, (_, n) =>
        frameIn(memory, smallBytes + n * frameBytes, width, height),
      ),
      picture: rgbIn(memory, pictureAt, width, height),
    }
  }
}

/** A frame that all threads see, black and empty. */
export function createFrame(width: number, height: number): Frame {
  return frameIn(new SharedArrayBuffer(width * height * 4), 0, width, height)
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
    return frameIn((memory[n] ??= new SharedArrayBuffer(pixelsMax * 4)), 0, width, height)
  }
}

/** Makes a frame black and empty, by four bytes at a time, as shared memory is slow by one. */
export function clearFrame({ image, alpha }: Frame): void {
  new Uint32Array(image.data.buffer, image.data.byteOffset, alpha.data.length).fill(0)
}

function frameIn(memory: SharedArrayBuffer, at: number, width: number, height: number): Frame {
  const pixels = width * height
  return {
    image: rgbIn(memory, at, width, height),
    alpha: { data: new Uint8Array(memory, at + pixels * 3, pixels), width, height },
  }
}

function rgbIn(memory: SharedArrayBuffer, at: number, width: number, height: number): RgbImage {
  return { data: new Uint8Array(memory, at, width * height * 3), width, height }
}
