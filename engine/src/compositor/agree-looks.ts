import { gaussianBlur } from './box-blur.ts'
import type { SegmentedRegion } from './join-regions.ts'
import { createPlane, smoothstep } from './raster.ts'
import type { Plane } from './raster.ts'
import { resizePlane, samplePlane } from './sample-plane.ts'

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
export function agreeLooks(looks: readonly SegmentedRegion[], headSize: number): SegmentedRegion[] {
  // The widest look can't know an edge better than to its own pixel.
  const reach = Math.max(edgeReach * headSize, ...looks.map((look) => pixelOf(look) * 0.6))
  const voters = looks.filter((look) => headSize / pixelOf(look) >= voterHeadMin)
  return looks.map((look) => {
    const { region, matte } = look
    const others = voters.filter((other) => other !== look)
    const agreed = medianOfLooks(look, others)
    const wide = spread(sidesOf(agreed), reach / pixelOf(look))
    for (let i = 0; i < agreed.data.length; i++) {
      const w = wide.data[i]!
      const near = smoothstep(0.01, 0.08, Math.min(w, 1 - w))
      agreed.data[i]! += (matte.data[i]! - agreed.data[i]!) * near
    }
    return { region, matte: agreed }
  })
}

/** Pixels of the photo per pixel of the look. */
function pixelOf({ region, matte }: SegmentedRegion): number {
  return Math.sqrt((region.width * region.height) / (matte.width * matte.height))
}

/** The median of a look and of all others where they look too. */
function medianOfLooks(
  { region, matte }: SegmentedRegion,
  others: readonly SegmentedRegion[],
): Plane {
  const { width, height } = matte
  const result = createPlane(width, height)
  const seen: number[] = []
  for (let y = 0, i = 0; y < height; y++) {
    const py = region.y + ((y + 0.5) / height) * region.height
    for (let x = 0; x < width; x++, i++) {
      const px = region.x + ((x + 0.5) / width) * region.width
      seen.length = 0
      seen.push(matte.data[i]!)
      for (const { region: place, matte: seenThere } of others) {
        const u = (px - place.x) / place.width
        const v = (py - place.y) / place.height
        if (u <= 0 || v <= 0 || u >= 1 || v >= 1) continue
        seen.push(samplePlane(seenThere, u * seenThere.width, v * seenThere.height))
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
