import type { Rect } from '../image/raster.ts'
import type { Frame } from './shared-frames.ts'

/** A part's frame, black and empty, at the start of a frame's memory until `movePart` places it. */
export function openPart({ image, alpha }: Frame, { width, height }: Rect): Frame {
  const colours = image.data.subarray(0, width * height * 3).fill(0)
  const alphas = alpha.data.subarray(0, width * height).fill(0)
  return { image: { data: colours, width, height }, alpha: { data: alphas, width, height } }
}

/** Moves what `openPart` gave to its place in the frame, which is black and empty elsewhere. */
export function movePart({ image, alpha }: Frame, part: Rect): void {
  moveRows(image.data, image.width, part, 3)
  moveRows(alpha.data, image.width, part, 1)
}

/** From the last row to the first, as no row's place lies before where it comes from. */
function moveRows(data: Uint8Array, frameWidth: number, part: Rect, channels: 1 | 3): void {
  const length = part.width * channels
  let end = data.length
  for (let y = part.height - 1; y >= 0; y--) {
    const to = ((y + part.y) * frameWidth + part.x) * channels
    data.copyWithin(to, y * length, (y + 1) * length)
    data.fill(0, to + length, end)
    end = to
  }
  data.fill(0, 0, end)
}
