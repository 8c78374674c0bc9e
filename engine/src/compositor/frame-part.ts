import { releaseMemory } from '../release-memory.ts'
import type { Rect } from '../image/raster.ts'
import type { Frame } from './shared-frames.ts'

/** A frame with a part in its place, black and empty elsewhere; the part is given back. */
export function placePart(
  { image, alpha }: Frame,
  part: Rect,
  size: { width: number; height: number },
): Frame {
  return {
    image: { data: placeRows(image.data, part, size, 3), ...size },
    alpha: { data: placeRows(alpha.data, part, size, 1), ...size },
  }
}

function placeRows(
  data: Uint8Array,
  part: Rect,
  { width, height }: { width: number; height: number },
  channels: 1 | 3,
): Uint8Array {
  const whole = new Uint8Array(width * height * channels)
  const length = part.width * channels
  for (let y = 0; y < part.height; y++) {
    const row = data.subarray(y * length, (y + 1) * length)
    whole.set(row, ((y + part.y) * width + part.x) * channels)
  }
  releaseMemory(data)
  return whole
}
