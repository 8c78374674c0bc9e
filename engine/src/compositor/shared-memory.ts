import type { ColourPlanes } from './colour-planes.ts'
import type { Plane, RgbImage } from './raster.ts'
import type { Frame } from './thread-messages.ts'

/** Backgrounds are out of focus, so a quarter of the size holds all of them. */
const backgroundShrink = 4

/** What the threads of one picture hand each other, in memory that all of them see. */
export interface SharedMemory {
  user: Frame
  star: Frame
  background: ColourPlanes
  picture: RgbImage
}

/**
 * Lends the threads memory of one picture, so that none is copied between them: the same as long as
 * the size is the same, as pictures are made one after the other.
 */
export function keepMemory(): (width: number, height: number) => SharedMemory {
  let kept: SharedMemory | undefined
  return (width, height) => {
    if (kept?.picture.width !== width || kept.picture.height !== height) {
      const plane = (): Plane =>
        createSharedPlane(Math.ceil(width / backgroundShrink), Math.ceil(height / backgroundShrink))
      kept = {
        user: createFrame(width, height),
        star: createFrame(width, height),
        background: [plane(), plane(), plane()],
        picture: createSharedRgb(width, height),
      }
    }
    return kept
  }
}

/** A frame that all threads see, black and empty. */
export function createFrame(width: number, height: number): Frame {
  const alpha = new Uint8Array(new SharedArrayBuffer(width * height))
  return { image: createSharedRgb(width, height), alpha: { data: alpha, width, height } }
}

function createSharedRgb(width: number, height: number): RgbImage {
  return { data: new Uint8Array(new SharedArrayBuffer(width * height * 3)), width, height }
}

function createSharedPlane(width: number, height: number): Plane {
  return { data: new Float32Array(new SharedArrayBuffer(width * height * 4)), width, height }
}
