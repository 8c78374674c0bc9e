import type { Network } from '../../models/litert-runtime.ts'
import { releaseMemory } from '../../release-memory.ts'
import { mergeCrops } from './merge-crops.ts'
import type { SegmentedCrop } from './join-crops.ts'
import { joinHeads } from '../faces/join-heads.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import { clamp } from '../../image/raster.ts'
import type { Plane, Rect } from '../../image/raster.ts'
import { warpStretched } from '../../image/warp-stretched.ts'

const inputSize = 256

/** So many others at most get a crop of their own; more are seen in the whole photo. */
const othersMax = 4

/** Side of the crop of an upper body, in head sizes; a head's is half as wide. */
const upperBodySide = 4.4

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
  const upperBodies = [...largestOf(others), ...heads].map(({ centre, size }) =>
    cutToPhoto(centre.x, centre.y + size * 0.55, size * upperBodySide, whole),
  )
  const closest = heads.map(({ centre, size }) =>
    cutToPhoto(centre.x, centre.y, (size * upperBodySide) / 2, whole),
  )
  const crops: SegmentedCrop[] = []
  for (const region of [whole, ...upperBodies, ...closest]) {
    crops.push({ region, matte: await segmentRegion(network, photo, region) })
  }
  const merged = mergeCrops(crops, joinHeads(heads).size)
  for (const { matte } of crops) releaseMemory(matte.data)
  return merged
}

/** Of many people those whose outlines are looked for closely. */
export function largestOf(heads: readonly HeadMeasure[]): HeadMeasure[] {
  return heads.toSorted((one, other) => other.size - one.size).slice(0, othersMax)
}

/** The mean of the network's answers for a region and its mirror image. */
export async function segmentRegion(
  network: Network,
  photo: Pyramid,
  region: Rect,
): Promise<Plane> {
  const input = warpStretched(photo, region, inputSize)
  const mirrored = mirrorRows(input)
  const [[straight], [other]] = network.runTwo
    ? await network.runTwo(input, mirrored)
    : [await network.run(input), await network.run(mirrored)]
  const matte = { data: straight!, width: inputSize, height: inputSize }
  for (let y = 0; y < inputSize; y++) joinMirrored(matte.data, other!, y * inputSize)
  releaseMemory(input, mirrored, other)
  return matte
}

/** Joins one row, which begins at `start`, with the row of the mirrored answer. */
function joinMirrored(matte: Float32Array, other: Float32Array, start: number): void {
  const last = start + inputSize - 1
  for (let x = 0; x < inputSize; x++) matte[start + x] = (matte[start + x]! + other[last - x]!) / 2
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
