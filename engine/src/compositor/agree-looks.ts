import { releaseMemory } from '../release-memory.ts'
import { gaussianBlur } from './box-blur.ts'
import type { SegmentedRegion } from './join-regions.ts'
import { createPlane, smoothstep } from './raster.ts'
import type { Plane } from './raster.ts'
import { resizePlane, samplePlane } from './sample-plane.ts'

/** One look of the network, and how far it contradicts its mirror image (0…1, as large). */
export interface WideLook extends SegmentedRegion {
  conflict: Plane
}

/** What such a contradiction takes from a vote. */
const conflictCost = 0.4
/** What two looks that contradict each other become: rather background than person. */
const doubt = [0.45, 0.95] as const
/** What all looks are undecided about away from edges is rather background too. */
const undecided = [0.3, 0.8] as const
/** How near to an edge (head sizes, standard deviation) a look may differ from the others. */
const edgeReach = 0.03

/** A look in which the head is smaller than this (its own pixels) sees people too poorly to vote. */
const voterHeadMin = 28

/**
 * Lets the wide looks outvote each other. What only one of them takes for a person, a dark tower
 * or a lamp, is none: away from edges the median of all looks that cover a point counts. Near
 * the edges each look keeps what it saw, as a closer one sees them finer.
 * @param headSize in pixels of the photo
 * @returns the same regions with the agreed mattes
 */
export function agreeLooks(looks: readonly WideLook[], headSize: number): SegmentedRegion[] {
  // The widest look can't know an edge better than to its own pixel.
  const reach = Math.max(edgeReach * headSize, ...looks.map((look) => pixelOf(look) * 0.6))
  const votes = looks.map(voteOf)
  const voters = votes.filter((look) => headSize / pixelOf(look) >= voterHeadMin)
  const mattes = looks.map((look, index) => {
    const { region, matte } = look
    const { width, height } = matte
    const others = voters.filter((other) => other !== votes[index])
    // Away from edges half the size tells all.
    const median = medianOfLooks(votes[index]!, others, width >> 1, height >> 1)
    const sides = gaussianBlur(sidesOf(median), reach / pixelOf(look) / 2)
    const agreed = resizePlane(median, width, height)
    const wide = resizePlane(sides, width, height)
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

/** What a look says away from edges: the less, the more it contradicts its own mirror image. */
function voteOf({ region, matte, conflict }: WideLook): SegmentedRegion {
  const data = matte.data.map((value, i) => value - conflict.data[i]! * conflictCost)
  return { region, matte: { ...matte, data } }
}

/** Pixels of the photo per pixel of the look. */
function pixelOf({ region, matte }: SegmentedRegion): number {
  return Math.sqrt((region.width * region.height) / (matte.width * matte.height))
}

/** The median of a look and of all others where they look too, on a grid over its region. */
function medianOfLooks(
  look: SegmentedRegion,
  others: readonly SegmentedRegion[],
  width: number,
  height: number,
): Plane {
  const { region } = look
  const result = createPlane(width, height)
  const seen: number[] = []
  for (let y = 0, i = 0; y < height; y++) {
    const down = (y + 0.5) / height
    for (let x = 0; x < width; x++, i++) {
      const across = (x + 0.5) / width
      seen.length = 0
      seen.push(samplePlane(look.matte, across * look.matte.width, down * look.matte.height))
      for (const { region: place, matte } of others) {
        const u = (region.x + across * region.width - place.x) / place.width
        const v = (region.y + down * region.height - place.y) / place.height
        if (u <= 0 || v <= 0 || u >= 1 || v >= 1) continue
        seen.push(samplePlane(matte, u * matte.width, v * matte.height))
      }
      result.data[i] = middle(seen)
    }
  }
  return result
}

/** The median of up to three values. */
function middle(values: readonly number[]): number {
  const [a = 0, b = a, c] = values
  if (c !== undefined) {
    const median = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
    return smoothstep(undecided[0], undecided[1], median)
  }
  return values.length === 2 ? smoothstep(doubt[0], doubt[1], (a + b) / 2) : a
}

/** 1 where a matte says person, 0 where it says background; what is undecided has no edge. */
export function sidesOf(matte: Plane): Plane {
  return { ...matte, data: matte.data.map((value) => (value > 0.5 ? 1 : 0)) }
}

/** A wide blur, made at a quarter of the size. */
export function spread(plane: Plane, sigma: number): Plane {
  const small = resizePlane(plane, plane.width >> 2, plane.height >> 2)
  return resizePlane(gaussianBlur(small, sigma / 4), plane.width, plane.height)
}
