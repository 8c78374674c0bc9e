import { createBytePlane, createRgb } from './raster.ts'
import type { BytePlane, RgbImage } from './raster.ts'

/** Where and how far a body is made longer, in rows of the picture. */
export interface BodyStretch {
  /** The row from which on the body is stretched; above, nothing changes. */
  fromRow: number
  /** The row where the photo ends. */
  photoEnd: number
}

/**
 * Makes a body reach the picture's lower border where its photo ends above it: the rows below
 * `fromRow` are drawn longer, little at first and more towards the border, which clothes bear well.
 */
export function stretchBody(
  cutOut: { image: RgbImage; alpha: BytePlane },
  { fromRow, photoEnd }: BodyStretch,
): { image: RgbImage; alpha: BytePlane } {
  const { width, height } = cutOut.alpha
  const image = createRgb(width, height)
  const alpha = createBytePlane(width, height)
  const from = Math.max(0, Math.round(fromRow))
  image.data.set(cutOut.image.data.subarray(0, from * width * 3))
  alpha.data.set(cutOut.alpha.data.subarray(0, from * width))
  const wanted = height - from
  // The last two rows of a photo are never used: its border bleeds into them.
  const there = Math.min(photoEnd - 2, height - 1) - from
  const start = 1 + (wanted / there - 1) * 0.4
  for (let y = from; y < height; y++) {
    const t = (y - from) / wanted
    const row = from + there * ((start * t + (wanted / there - start) * t * t) / (wanted / there))
    mixRows(cutOut.image.data, image.data, width * 3, row, y, height)
    mixRows(cutOut.alpha.data, alpha.data, width, row, y, height)
  }
  return { image, alpha }
}

function mixRows(
  source: Uint8Array,
  target: Uint8Array,
  length: number,
  row: number,
  targetRow: number,
  height: number,
): void {
  const above = Math.floor(row)
  const share = row - above
  const first = above * length
  const second = Math.min(above + 1, height - 1) * length
  const out = targetRow * length
  for (let i = 0; i < length; i++) {
    target[out + i] = source[first + i]! * (1 - share) + source[second + i]! * share + 0.5
  }
}
