import type { Network } from '../../models/litert-runtime.ts'
import { releaseMemory } from '../../release-memory.ts'
import { binarise, blurCoarsely, mergeCrops, nearEdge, nearlyCertain } from './merge-crops.ts'
import type { WideCrop } from './merge-crops.ts'
import { joinCrops } from './join-crops.ts'
import type { SegmentedCrop } from './join-crops.ts'
import { joinHeads } from '../faces/join-heads.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import { clamp, createPlane, smoothstep } from '../../image/raster.ts'
import type { Plane, Rect } from '../../image/raster.ts'
import { keepConnected } from './silhouette.ts'
import type { AffineMap } from '../../image/warp.ts'
import { warpStretched } from '../../image/warp-stretched.ts'

const inputSize = 256

/** So many others at most get a crop of their own. */
const othersMax = 4

/** Sides of the crop of the upper body, in head sizes. */
const upperBodySides = [4.4, 3.2] as const

/** Close crops, in head sizes about the middle of the face: shift right, shift down, side. */
const closeCrops = [
  [-0.95, 1.15, 2.1],
  [0.95, 1.15, 2.1],
  [-0.5, -0.45, 1.35],
  [0.5, -0.45, 1.35],
] as const

/**
 * Runs the network on the whole photo, each upper body and each head, each also mirrored (the mean
 * of both), then on close crops of shoulders and hair. A closer crop has a finer edge, a wider one
 * knows better what is part of the person; so a close crop may only move the edge that the wider
 * ones found. Source of the network: MediaPipe Selfie Segmentation, general model,
 * https://google.github.io/mediapipe/solutions/selfie_segmentation
 * @param heads of those who stay together, at least one
 * @param others who have to leave the background: the largest of them get a crop of their upper body too
 */
export async function segmentPerson(
  network: Network,
  photo: Pyramid,
  heads: readonly HeadMeasure[],
  others: readonly HeadMeasure[] = [],
): Promise<SegmentedCrop[]> {
  const { width, height } = photo.levels[0]!
  const whole = { x: 0, y: 0, width, height }
  const wide: WideCrop[] = []
  const large = others.toSorted((one, other) => other.size - one.size).slice(0, othersMax)
  for (const region of [whole, ...[...large, ...heads].map((head) => upperBodyOf(whole, head))]) {
    wide.push({ region, ...(await segmentRegion(network, photo, region)) })
  }
  for (const region of heads.map((head) => headRegionOf(wide, whole, head))) {
    wide.push({ region, ...(await segmentRegion(network, photo, region)) })
  }
  const merged = mergeCrops(wide, joinHeads(heads).size)
  for (const { matte, conflict } of wide) releaseMemory(matte.data, conflict.data)
  const close: SegmentedCrop[] = []
  for (const head of heads) {
    close.push(...(await segmentClosely(network, photo, { merged, whole, head })))
  }
  return [...merged, ...close]
}

/** Close crops of one person, whose edges lie within reach of those that the wide ones found. */
async function segmentClosely(
  network: Network,
  photo: Pyramid,
  { merged, whole, head }: { merged: readonly SegmentedCrop[]; whole: Rect; head: HeadMeasure },
): Promise<SegmentedCrop[]> {
  const { centre, size } = head
  const close: SegmentedCrop[] = []
  for (const [right, down, side] of closeCrops) {
    const region = cutToPhoto(centre.x + right * size, centre.y + down * size, side * size, whole)
    if (Math.min(region.width, region.height) < size * 0.7) continue
    const base = joinCrops(merged, whole, gridOf(region), inputSize, inputSize)
    if (!hasEdge(base)) continue
    const { matte, conflict } = await segmentRegion(network, photo, region)
    moveEdge(base, matte, (0.05 * size * inputSize) / Math.sqrt(region.width * region.height))
    releaseMemory(matte.data, conflict.data)
    close.push({ region, matte: base })
  }
  return close
}

/** A square about head and shoulders; a smaller one where that would be the whole photo again. */
function upperBodyOf(whole: Rect, { centre, size }: HeadMeasure): Rect {
  const [wide, narrow] = upperBodySides.map((side) =>
    cutToPhoto(centre.x, centre.y + size * 0.55, size * side, whole),
  )
  const share = (wide!.width * wide!.height) / (whole.width * whole.height)
  return share < 0.8 ? wide! : narrow!
}

/** The mean of the network's answers for a region and its mirror image, and their difference. */
export async function segmentRegion(
  network: Network,
  photo: Pyramid,
  region: Rect,
): Promise<{ matte: Plane; conflict: Plane }> {
  const input = warpStretched(photo, region, inputSize)
  const mirrored = mirrorRows(input)
  const [[straight], [other]] = network.runTwo
    ? await network.runTwo(input, mirrored)
    : [await network.run(input), await network.run(mirrored)]
  const matte = { data: straight!, width: inputSize, height: inputSize }
  const conflict = createPlane(inputSize, inputSize)
  for (let y = 0; y < inputSize; y++) joinMirrored(matte.data, other!, conflict.data, y * inputSize)
  releaseMemory(input, mirrored, other)
  return { matte, conflict }
}

/** Joins one row, which begins at `start`, with the row of the mirrored answer. */
function joinMirrored(
  matte: Float32Array,
  other: Float32Array,
  conflict: Float32Array,
  start: number,
): void {
  const last = start + inputSize - 1
  for (let x = 0; x < inputSize; x++) {
    const one = matte[start + x]!
    const mirrored = other[last - x]!
    matte[start + x] = (one + mirrored) / 2
    conflict[start + x] = Math.abs(one - mirrored)
  }
}

/** A mirrored copy. */
function mirrorRows(input: Float32Array): Float32Array {
  const mirrored = new Float32Array(input.length)
  for (let y = 0; y < inputSize; y++) {
    let from = ((y + 1) * inputSize - 1) * 3
    for (let to = y * inputSize * 3; to < (y + 1) * inputSize * 3; to += 3, from -= 3) {
      mirrored[to] = input[from]!
      mirrored[to + 1] = input[from + 1]!
      mirrored[to + 2] = input[from + 2]!
    }
  }
  return mirrored
}

/** A square that holds the head with all its hair, as the wide crops show it. */
function headRegionOf(crops: readonly SegmentedCrop[], whole: Rect, head: HeadMeasure): Rect {
  const { centre, size } = head
  const grid = 64
  const around = cutToPhoto(centre.x, centre.y - size * 0.2, size * 4, whole)
  const perCell = { x: around.width / grid, y: around.height / grid }
  const all = joinCrops(
    crops,
    whole,
    { xx: perCell.x, xy: 0, x0: around.x, yx: 0, yy: perCell.y, y0: around.y },
    grid,
    grid,
  )
  const face = {
    x: (centre.x - around.x) / perCell.x,
    y: (centre.y - around.y) / perCell.y,
    size: size / Math.max(perCell.x, perCell.y),
  }
  const seen = keepConnected(all, [face])
  let left = centre.x - size * 0.7
  let right = centre.x + size * 0.7
  let top = centre.y - size * 0.8
  const chinRow = Math.floor(((head.chin.y - around.y) / around.height) * grid)
  for (let y = 0; y < Math.min(chinRow, grid); y++) {
    for (let x = 0; x < grid; x++) {
      if (seen.data[y * grid + x]! < 0.5) continue
      const px = around.x + ((x + 0.5) / grid) * around.width
      if (Math.abs(px - centre.x) > size * 1.4) continue
      left = Math.min(left, px)
      right = Math.max(right, px)
      top = Math.min(top, around.y + (y / grid) * around.height)
    }
  }
  const side = Math.max(right - left, centre.y + size * 0.75 - top) + size * 0.55
  return cutToPhoto((left + right) / 2, top - size * 0.28 + side / 2, side, whole)
}

/**
 * Moves the edge of `base` to where the close crop has it; works in place. The edge is where the
 * wide crops change from person to background: what they are undecided about over an area stays.
 */
function moveEdge(base: Plane, close: Plane, reach: number): void {
  const binary = binarise(base)
  const wide = blurCoarsely(binary, reach)
  const trust = trustIn(close, base, wide)
  const clear = createPlane(close.width, close.height)
  for (let i = 0; i < clear.data.length; i++) clear.data[i] = Math.abs(2 * close.data[i]! - 1)
  const decided = blurCoarsely(clear, reach)
  for (let i = 0; i < base.data.length; i++) {
    const near = nearEdge(wide.data[i]!)
    // Where it is undecided over a whole area, it isn't to be trusted either.
    const weight = near * trust * nearlyCertain(decided.data[i]!)
    base.data[i]! += (close.data[i]! - base.data[i]!) * weight
  }
  releaseMemory(binary.data, wide.data, clear.data, decided.data)
}

/** A close crop that misreads what is certain is not to be trusted at the edge (0…1). */
function trustIn(close: Plane, base: Plane, wide: Plane): number {
  let apart = 0
  let certain = 0
  for (let i = 0; i < base.data.length; i++) {
    const w = wide.data[i]!
    if (w > 0.02 && w < 0.98) continue
    apart += Math.abs(close.data[i]! - base.data[i]!)
    certain++
  }
  return 1 - smoothstep(0.02, 0.1, apart / Math.max(1, certain))
}

function hasEdge({ data }: Plane): boolean {
  let low = 0
  for (let i = 0; i < data.length; i++) if (data[i]! < 0.5) low++
  return Math.min(low, data.length - low) > data.length * 0.02
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

function gridOf(region: Rect): AffineMap {
  return {
    xx: region.width / inputSize,
    xy: 0,
    x0: region.x,
    yx: 0,
    yy: region.height / inputSize,
    y0: region.y,
  }
}
