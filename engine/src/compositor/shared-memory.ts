import type { RgbImage } from './raster.ts'
import type { Frame } from './thread-messages.ts'

/** The memory that the main thread lends to the others, so that no picture is copied between them. */
export interface SharedMemory {
  /** The frames of both people, the same ones as long as the size is the same. */
  framesOf(width: number, height: number): { user: Frame; star: Frame }
}

/** Keeps the frames of one picture: pictures are made one after the other. */
export function keepMemory(): SharedMemory {
  let kept: { user: Frame; star: Frame } | undefined
  return {
    framesOf(width, height) {
      const image = kept?.user.image
      if (kept === undefined || image?.width !== width || image.height !== height) {
        kept = { user: createFrame(width, height), star: createFrame(width, height) }
      }
      return kept
    },
  }
}

function createFrame(width: number, height: number): Frame {
  const alpha = new Uint8Array(new SharedArrayBuffer(width * height))
  return { image: createSharedRgb(width, height), alpha: { data: alpha, width, height } }
}

/** A black image that all threads see. */
export function createSharedRgb(width: number, height: number): RgbImage {
  return { data: new Uint8Array(new SharedArrayBuffer(width * height * 3)), width, height }
}
