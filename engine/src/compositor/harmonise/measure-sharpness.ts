import type { HeadMeasure } from '../faces/measure-head.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import { warpStretched } from '../../image/warp-stretched.ts'
import { releaseMemory } from '../../release-memory.ts'

/** A face is measured as if its head had so many pixels, whatever the photo gave it. */
export const sharpnessHeadPixels = 300
/** Side of the square about eyes and mouth, in head sizes. */
const side = 0.84

/**
 * Sharpness of a face: the spread of a Laplacian of its green channel over the eyes and the mouth, in 8-bit
 * steps, at a head of 300 pixels. Below 0.5 where a face is blurred beyond use, 2 and more where it is sharp.
 * @param head in pixels of the photo
 */
export function measureSharpness(photo: Pyramid, { centre, size }: HeadMeasure): number {
  const width = side * size
  const region = { x: centre.x - width / 2, y: centre.y - width / 2, width, height: width }
  const pixels = Math.round(side * sharpnessHeadPixels)
  const data = warpStretched(photo, region, pixels)
  const stride = pixels * 3
  let [sum, squares, count] = [0, 0, 0]
  for (let y = 1; y < pixels - 1; y++) {
    const end = (y + 1) * stride - 3
    for (let at = y * stride + 4; at < end; at += 3) {
      const around = data[at - 3]! + data[at + 3]! + data[at - stride]! + data[at + stride]!
      const edge = 255 * (data[at]! - around / 4)
      sum += edge
      squares += edge * edge
      count++
    }
  }
  releaseMemory(data)
  const mean = sum / count
  return Math.sqrt(Math.max(0, squares / count - mean * mean))
}
