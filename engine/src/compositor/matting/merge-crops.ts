import { releaseMemory } from '../../release-memory.ts'
import { gaussianBlur } from '../../image/box-blur.ts'
import { kernels, openArena } from '../../image/kernels.ts'
import type { SegmentedCrop } from './join-crops.ts'
import { createPlane } from '../../image/raster.ts'
import type { Plane } from '../../image/raster.ts'
import { resizePlane } from '../../image/sample-plane.ts'

/** What crops are undecided about or contradict each other in, away from edges, is rather background: from … to. */
const undecidedRange = [0.4, 0.9] as const
/** How near to an edge (head sizes, standard deviation) a crop may differ from the others. */
const edgeReach = 0.03

/**
 * Lets the wide crops outvote each other. What only one of them takes for a person, a dark tower
 * or a lamp, is none: away from edges the median of all crops that cover a point counts. Near
 * the edges each crop keeps its own answer, as a closer one resolves them better.
 * @param headSize in pixels of the photo
 * @returns the same crops with the merged mattes
 */
export function mergeCrops(crops: readonly SegmentedCrop[], headSize: number): SegmentedCrop[] {
  return crops.map((crop) => {
    const { region, matte } = crop
    const { width, height } = matte
    const others = crops.filter((other) => other !== crop)
    // Away from edges half the size tells all.
    const median = medianOfCrops(crop, others, width >> 1, height >> 1)
    const binary = binarise(median)
    const nearness = gaussianBlur(binary, (edgeReach * headSize) / pixelOf(crop) / 2)
    const agreed = resizePlane(median, width, height)
    const wide = resizePlane(nearness, width, height)
    for (let i = 0; i < agreed.data.length; i++) {
      agreed.data[i]! += (matte.data[i]! - agreed.data[i]!) * nearEdge(wide.data[i]!)
    }
    releaseMemory(median.data, binary.data, nearness.data, wide.data)
    return { region, matte: agreed }
  })
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
  const rangeAt = arena.copyIn(Float32Array.of(...undecidedRange))
  const votes = arena.allocate(4 * all.length)
  const target = arena.allocate(width * height * 4)
  kernels.medianOfCrops(cropsAt, all.length, target, width, height, votes, rangeAt)
  return { data: arena.floats(target, width * height).slice(), width, height }
}

/** How near to an edge (0…1) a blurred, thresholded matte of this value is. */
function nearEdge(value: number): number {
  return Math.min(1, 16 * Math.min(value, 1 - value))
}

/** A matte thresholded at 0.5, so that what is undecided over an area has no edge. */
function binarise(matte: Plane): Plane {
  const binary = createPlane(matte.width, matte.height)
  for (let i = 0; i < binary.data.length; i++) binary.data[i] = matte.data[i]! > 0.5 ? 1 : 0
  return binary
}
