import type { Network } from '../../models/litert-runtime.ts'
import { releaseMemory } from '../../release-memory.ts'
import { mergeCrops } from './merge-crops.ts'
import type { WideCrop } from './merge-crops.ts'
import { joinCrops } from './join-crops.ts'
import type { SegmentedCrop } from './join-crops.ts'
import { joinHeads } from '../faces/join-heads.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import { clamp, createPlane } from '../../image/raster.ts'
import type { Plane, Rect } from '../../image/raster.ts'
import { keepConnected } from './silhouette.ts'
import { warpStretched } from '../../image/warp-stretched.ts'

const inputSize = 256

/** So many others at most get a crop of their own. */
const othersMax = 4

/** Sides of the crop of the upper body, in head sizes. */
const upperBodySides = [4.4, 3.2] as const

/**
 * Runs the network on the whole photo, each upper body and each head, each also mirrored (the mean
 * of both). A closer crop has a finer edge, a wider one knows better what is part of the person.
 * Source of the network: MediaPipe Selfie Segmentation, general model,
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
  return merged
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
