import type { HeadMeasure } from '../faces/measure-head.ts'
import type { RgbImage } from '../../image/raster.ts'

/**
 * Sharpness of a face: the spread of a Laplacian of its green channel over the eyes and the mouth,
 * in 8-bit steps. About 1 where a face is blurred beyond use, 4 and more where it is sharp.
 * @param head in pixels of the image
 */
export function measureSharpness(image: RgbImage, head: HeadMeasure): number {
  const { data, width, height } = image
  const half = head.size * 0.42
  const x0 = Math.max(1, Math.floor(head.centre.x - half))
  const x1 = Math.min(width - 1, Math.ceil(head.centre.x + half))
  const y0 = Math.max(1, Math.floor(head.centre.y - half))
  const y1 = Math.min(height - 1, Math.ceil(head.centre.y + half))
  const moments = { sum: 0, squares: 0, count: 0 }
  for (let y = y0; y < y1; y++)
    addRow(data, (y * width + x0) * 3 + 1, (y * width + x1) * 3, width * 3, moments)
  const { sum, squares, count } = moments
  if (count === 0) return 0
  const mean = sum / count
  return Math.sqrt(Math.max(0, squares / count - mean * mean))
}

/** Adds the Laplacian of a row's green values, from one index up to another. */
function addRow(
  data: Uint8Array,
  from: number,
  to: number,
  stride: number,
  moments: { sum: number; squares: number; count: number },
): void {
  let { sum, squares } = moments
  for (let at = from; at < to; at += 3) {
    const edge =
      data[at]! - (data[at - 3]! + data[at + 3]! + data[at - stride]! + data[at + stride]!) / 4
    sum += edge
    squares += edge * edge
  }
  moments.sum = sum
  moments.squares = squares
  moments.count += Math.max(0, Math.ceil((to - from) / 3))
}
