import { releaseMemory } from '../../release-memory.ts'
import { gaussianBlur } from '../../image/box-blur.ts'
import type { SegmentedCrop } from './join-crops.ts'
import { createPlane, smoothstep } from '../../image/raster.ts'
import type { Plane } from '../../image/raster.ts'
import { resizePlane, samplePlane } from '../../image/sample-plane.ts'

/** One crop as the network sees it, and how far it contradicts its mirror image (0…1, as large). */
export interface WideCrop extends SegmentedCrop {
  conflict: Plane
}

/** What such a contradiction takes from a vote. */
const conflictCost = 0.4
/** What two crops that contradict each other become: rather background than person. */
const contradictedRange = [0.45, 0.95] as const
/** What all crops are undecided about away from edges is rather background too. */
const undecidedRange = [0.3, 0.8] as const
/** How near to an edge (head sizes, standard deviation) a crop may differ from the others. */
const edgeReach = 0.03

/** A crop in which the head is smaller than this (its own pixels) shows people too coarsely to vote. */
const voterHeadMin = 28

/**
 * Lets the wide crops outvote each other. What only one of them takes for a person, a dark tower
 * or a lamp, is none: away from edges the median of all crops that cover a point counts. Near
 * the edges each crop keeps its own answer, as a closer one resolves them better.
 * @param headSize in pixels of the photo
 * @returns the same crops with the merged mattes
 */
export function mergeCrops(crops: readonly WideCrop[], headSize: number): SegmentedCrop[] {
  // The widest crop can't know an edge better than to its own pixel.
  const reach = Math.max(edgeReach * headSize, ...crops.map((crop) => pixelOf(crop) * 0.6))
  const votes = crops.map(voteOf)
  const voters = votes.filter((vote) => headSize / pixelOf(vote) >= voterHeadMin)
  const mattes = crops.map((crop, index) => {
    const { region, matte } = crop
    const { width, height } = matte
    const others = voters.filter((other) => other !== votes[index])
    // Away from edges half the size tells all.
    const median = medianOfCrops(votes[index]!, others, width >> 1, height >> 1)
    const nearness = gaussianBlur(binarise(median), reach / pixelOf(crop) / 2)
    const agreed = resizePlane(median, width, height)
    const wide = resizePlane(nearness, width, height)
    for (let i = 0; i < agreed.data.length; i++) {
      const w = wide.data[i]!
      const near = smoothstep(0.01, 0.08, Math.min(w, 1 - w))
      agreed.data[i]! += (matte.data[i]! - agreed.data[i]!) * near
    }
    releaseMemory(wide.data)
    return { region, matte: agreed }
  })
  releaseMemory(...votes.map((vote) => vote.matte.data))
  return mattes
}

/** What a crop contributes away from edges: the less, the more it contradicts its own mirror image. */
function voteOf({ region, matte, conflict }: WideCrop): SegmentedCrop {
  const vote = createPlane(matte.width, matte.height)
  for (let i = 0; i < vote.data.length; i++) {
    vote.data[i] = matte.data[i]! - conflict.data[i]! * conflictCost
  }
  return { region, matte: vote }
}

/** Pixels of the photo per pixel of the crop. */
function pixelOf({ region, matte }: SegmentedCrop): number {
  return Math.sqrt((region.width * region.height) / (matte.width * matte.height))
}

/** The median of a crop and of all others where they overlap it, on a grid over its region. */
function medianOfCrops(
  crop: SegmentedCrop,
  others: readonly SegmentedCrop[],
  width: number,
  height: number,
): Plane {
  const result = createPlane(width, height)
  const votes = new Float64Array(1 + others.length)
  for (let y = 0, i = 0; y < height; y++) {
    const down = crop.region.y + ((y + 0.5) / height) * crop.region.height
    for (let x = 0; x < width; x++, i++) {
      const right = crop.region.x + ((x + 0.5) / width) * crop.region.width
      votes[0] = voteAt(crop, right, down)
      let count = 1
      for (const other of others) {
        const vote = voteAt(other, right, down)
        if (!Number.isNaN(vote)) votes[count++] = vote
      }
      result.data[i] = decide(votes.subarray(0, count))
    }
  }
  return result
}

/** A crop's vote at a point of the photo; NaN outside of it. */
function voteAt({ region, matte }: SegmentedCrop, right: number, down: number): number {
  const u = (right - region.x) / region.width
  const v = (down - region.y) / region.height
  if (u <= 0 || v <= 0 || u >= 1 || v >= 1) return NaN
  return samplePlane(matte, u * matte.width, v * matte.height)
}

/** What votes on one point, at least one, come to. Sorts them. */
function decide(votes: Float64Array): number {
  const { length } = votes
  if (length === 1) return votes[0]!
  votes.sort()
  const middle = (votes[(length - 1) >> 1]! + votes[length >> 1]!) / 2
  const [from, to] = length === 2 ? contradictedRange : undecidedRange
  return smoothstep(from, to, middle)
}

/** A matte thresholded at 0.5, so that what is undecided over an area has no edge. */
export function binarise(matte: Plane): Plane {
  const binary = createPlane(matte.width, matte.height)
  for (let i = 0; i < binary.data.length; i++) binary.data[i] = matte.data[i]! > 0.5 ? 1 : 0
  return binary
}

/** A wide blur, made at a quarter of the size. */
export function blurCoarsely(plane: Plane, sigma: number): Plane {
  const small = resizePlane(plane, plane.width >> 2, plane.height >> 2)
  return resizePlane(gaussianBlur(small, sigma / 4), plane.width, plane.height)
}
