import type { Network } from '../models/litert-runtime.ts'
import type { HeadMeasure } from './measure-head.ts'
import type { Pyramid } from './pyramid.ts'
import { clamp, createPlane, smoothstep } from './raster.ts'
import type { Plane, Rect } from './raster.ts'
import { samplePlane } from './sample-plane.ts'
import type { Similarity } from './warp.ts'
import { warpStretched } from './warp-stretched.ts'

/** One look of the network: where in the photo, and the person's probability there, 256×256. */
export interface SegmentedRegion {
  region: Rect
  matte: Plane
}

const inputSize = 256

/**
 * Looks at the whole photo, at the upper body and at the head, each also mirrored (the mean of
 * both). The closer looks bring the detail, the whole brings what belongs to the person.
 * Source of the network: MediaPipe Selfie Segmentation, general model,
 * https://google.github.io/mediapipe/solutions/selfie_segmentation
 */
export async function segmentPerson(
  network: Network,
  photo: Pyramid,
  head: HeadMeasure,
): Promise<SegmentedRegion[]> {
  const { width, height } = photo.levels[0]!
  const whole = { x: 0, y: 0, width, height }
  const regions = [
    whole,
    cutToPhoto(head.centre.x, head.centre.y + head.size * 0.55, head.size * 4.4, whole),
    cutToPhoto(head.centre.x, head.centre.y - head.size * 0.05, head.size * 2.7, whole),
  ]
  const results: SegmentedRegion[] = []
  for (const region of regions) {
    results.push({ region, matte: await segmentRegion(network, photo, region) })
  }
  return results
}

/** The mean of the network's answers for a region and for its mirror image. */
export async function segmentRegion(
  network: Network,
  photo: Pyramid,
  region: Rect,
): Promise<Plane> {
  const straight = await network.run(warpStretched(photo, region, inputSize, false))
  const mirrored = await network.run(warpStretched(photo, region, inputSize, true))
  const matte = createPlane(inputSize, inputSize)
  for (let y = 0, i = 0; y < inputSize; y++) {
    const last = y * inputSize + inputSize - 1
    for (let x = 0; x < inputSize; x++, i++) {
      matte.data[i] = (straight[0]![i]! + mirrored[0]![last - x]!) / 2
    }
  }
  return matte
}

function cutToPhoto(centreX: number, centreY: number, side: number, photo: Rect): Rect {
  const x = clamp(centreX - side / 2, 0, photo.width)
  const y = clamp(centreY - side / 2, 0, photo.height)
  return {
    x,
    y,
    width: clamp(centreX + side / 2, 0, photo.width) - x,
    height: clamp(centreY + side / 2, 0, photo.height) - y,
  }
}

/**
 * Joins the looks into one matte; a closer look takes over inside of its region and fades out in
 * its outer tenth, except where it ends with the photo.
 * @param toPhoto maps pixels of the result to pixels of the photo
 */
export function joinRegions(
  regions: readonly SegmentedRegion[],
  photo: { width: number; height: number },
  toPhoto: Similarity,
  width: number,
  height: number,
): Plane {
  const result = createPlane(width, height)
  for (const { region, matte } of regions) {
    const fade = 0.1 * Math.min(region.width, region.height)
    const scaleX = matte.width / region.width
    const scaleY = matte.height / region.height
    const openLeft = region.x > 0 ? 0 : -1e9
    const openTop = region.y > 0 ? 0 : -1e9
    const openRight = region.x + region.width < photo.width ? 0 : 1e9
    const openBottom = region.y + region.height < photo.height ? 0 : 1e9
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i++) {
        const px = toPhoto.a * (x + 0.5) - toPhoto.b * (y + 0.5) + toPhoto.tx - region.x
        const py = toPhoto.b * (x + 0.5) + toPhoto.a * (y + 0.5) + toPhoto.ty - region.y
        if (px < 0 || py < 0 || px >= region.width || py >= region.height) continue
        const inside = Math.min(
          px - openLeft,
          py - openTop,
          region.width - px + openRight,
          region.height - py + openBottom,
        )
        const value = samplePlane(matte, px * scaleX, py * scaleY)
        if (inside >= fade) {
          result.data[i] = value
        } else {
          const weight = smoothstep(0, fade, inside)
          result.data[i] = result.data[i]! * (1 - weight) + value * weight
        }
      }
    }
  }
  return result
}
