import { gaussianBlur } from './box-blur.ts'
import { joinRegions } from './join-regions.ts'
import type { AffineMap, SegmentedRegion } from './join-regions.ts'
import { createPlane, smoothstep } from './raster.ts'
import type { Plane, Rect } from './raster.ts'
import { resizePlane } from './sample-plane.ts'

/** What two looks that contradict each other become: rather background than person. */
const doubt = [0.3, 0.9] as const
/** How near to an edge (head sizes, standard deviation) a look may differ from the others. */
const edgeReach = 0.03

/**
 * Lets the wide looks outvote each other. What only one of them takes for a person, a dark tower
 * or a lamp, is none: away from edges the median of all looks that cover a point counts. Near
 * the edges each look keeps what it saw, as a closer one sees them finer.
 * @returns the same regions with the agreed mattes
 */
export function agreeLooks(
  looks: readonly SegmentedRegion[],
  photo: { width: number; height: number },
  headSize: number,
): SegmentedRegion[] {
  // The widest look can't know an edge better than to its own pixel.
  const reach = Math.max(edgeReach * headSize, ...looks.map((look) => pixelOf(look) * 0.6))
  return looks.map((look) => {
    const { region, matte } = look
    const agreed = medianOfLooks(looks, photo, region, matte.width, matte.height)
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

function medianOfLooks(
  looks: readonly SegmentedRegion[],
  photo: { width: number; height: number },
  region: Rect,
  width: number,
  height: number,
): Plane {
  const grid: AffineMap = {
    xx: region.width / width,
    xy: 0,
    x0: region.x,
    yx: 0,
    yy: region.height / height,
    y0: region.y,
  }
  const votes = looks.map((look) => joinRegions([look], photo, grid, width, height).data)
  const result = createPlane(width, height)
  const seen: number[] = []
  for (let y = 0, i = 0; y < height; y++) {
    const py = region.y + (y + 0.5) * grid.yy
    for (let x = 0; x < width; x++, i++) {
      const px = region.x + (x + 0.5) * grid.xx
      seen.length = 0
      for (let n = 0; n < looks.length; n++) {
        if (contains(looks[n]!.region, px, py)) seen.push(votes[n]![i]!)
      }
      result.data[i] = middle(seen)
    }
  }
  return result
}

function contains(region: Rect, x: number, y: number): boolean {
  return x > region.x && y > region.y && x < region.x + region.width && y < region.y + region.height
}

/** The median of up to three values. */
function middle(values: readonly number[]): number {
  const [a = 0, b = a, c] = values
  if (c !== undefined) return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
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
