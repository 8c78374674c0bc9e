import { releaseMemory } from '../../release-memory.ts'
import { gaussianBlur } from '../../image/box-blur.ts'
import { kernels, openArena } from '../../image/kernels.ts'
import type { SegmentedCrop } from './join-crops.ts'
import { createPlane, smoothstep } from '../../image/raster.ts'
import type { Plane } from '../../image/raster.ts'
import { resizePlane } from '../../image/sample-plane.ts'

/** One crop as the network sees it, and how far it contradicts its mirror image (0…1, as large). */
export interface WideCrop extends SegmentedCrop {
  conflict: Plane
}

/** What such a contradiction takes from a vote. */
const conflictCost = 0.4
/** Values of a vote from a first one, which is background, to person. */
function decidedFrom(background: number): readonly [number, number] {
  return [background, background + 0.5]
}

/** What two crops that contradict each other become: rather background than person. */
const contradictedRange = decidedFrom(0.45)
/** What all crops are undecided about away from edges is rather background too. */
const undecidedRange = decidedFrom(0.3)
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
      agreed.data[i]! += (matte.data[i]! - agreed.data[i]!) * nearEdge(wide.data[i]!)
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
  const arena = openArena()
  const all = [crop, ...others]
  const list = new Float64Array(6 * all.length)
  const places = new Int32Array(list.buffer)
  for (const [n, { region, matte }] of all.entries()) {
    places.set([arena.copyIn(matte.data), matte.width, matte.height], 12 * n)
    list.set([region.x, region.y, region.width, region.height], 6 * n + 2)
  }
  const cropsAt = arena.copyIn(list)
  const rangesAt = arena.copyIn(Float32Array.of(...contradictedRange, ...undecidedRange))
  const votes = arena.allocate(4 * all.length)
  const target = arena.allocate(width * height * 4)
  kernels.medianOfCrops(cropsAt, all.length, target, width, height, votes, rangesAt)
  return { data: arena.floats(target, width * height).slice(), width, height }
}

/** How near to an edge (0…1) a blurred, thresholded matte of this value is. */
function nearEdge(value: number): number {
  return smoothstep(0.01, 0.08, Math.min(value, 1 - value))
}

/** A matte thresholded at 0.5, so that what is undecided over an area has no edge. */
function binarise(matte: Plane): Plane {
  const binary = createPlane(matte.width, matte.height)
  for (let i = 0; i < binary.data.length; i++) binary.data[i] = matte.data[i]! > 0.5 ? 1 : 0
  return binary
}
