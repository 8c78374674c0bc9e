import { smoothstep } from '../../image/raster.ts'
import type { BytePlane, Plane } from '../../image/raster.ts'
import { gaussianBlur } from '../../image/box-blur.ts'
import { releaseMemory } from '../../release-memory.ts'
import { joinCrops } from './join-crops.ts'
import type { SegmentedCrop } from './join-crops.ts'
import { binarise } from './merge-crops.ts'

/** How near to our edge (head sizes, standard deviation) the other network may move it. */
const edgeReach = 0.12
/** What it contradicts of what is certain, in parts of the person: from here on it is doubted, and not heard. */
const contradictionRange = [0.05, 0.2] as const
/** Its pixel in head sizes: a network that sees the head this coarsely knows its edge no better. */
const pixelRange = [0.03, 0.06] as const

/**
 * Lets the operator's matting network move the edges that ours has found: what is part of a person
 * is ours to say, where the edge lies theirs. docs/decisions/0270 compares other ways.
 * @param crops our network's, from the widest to the closest
 * @param opinion the other network's matte of the whole photo, in any size
 * @param headSize in pixels of the photo
 * @returns the crops, with one more where the opinion is to be trusted
 */
export function joinOpinion(
  crops: readonly SegmentedCrop[],
  opinion: BytePlane,
  photo: { width: number; height: number },
  headSize: number,
): SegmentedCrop[] {
  const { width, height } = opinion
  const pixel = Math.sqrt((photo.width * photo.height) / (width * height))
  const region = { x: 0, y: 0, width: photo.width, height: photo.height }
  const toPhoto = {
    xx: photo.width / width,
    xy: 0,
    x0: 0,
    yx: 0,
    yy: photo.height / height,
    y0: 0,
  }
  const matte = joinCrops(crops, photo, toPhoto, width, height)
  const near = nearnessToEdge(matte, (edgeReach * headSize) / pixel)
  const sharpness = 1 - smoothstep(...pixelRange, pixel / headSize)
  const trust =
    sharpness * (1 - smoothstep(...contradictionRange, contradiction(matte, opinion, near)))
  if (trust === 0) {
    releaseMemory(matte.data, near.data)
    return [...crops]
  }
  for (let i = 0; i < matte.data.length; i++) {
    matte.data[i]! += (opinion.data[i]! / 255 - matte.data[i]!) * near.data[i]! * trust
  }
  releaseMemory(near.data)
  return [...crops, { region, matte }]
}

/** 1 about the edges of a matte, 0 from some standard deviations on. */
function nearnessToEdge(matte: Plane, sigma: number): Plane {
  const binary = binarise(matte)
  const near = gaussianBlur(binary, Math.max(1, sigma))
  releaseMemory(binary.data)
  for (let i = 0; i < near.data.length; i++) {
    const wide = near.data[i]!
    near.data[i] = smoothstep(0.01, 0.08, Math.min(wide, 1 - wide))
  }
  return near
}

/** How much the opinion differs from ours away from edges, in parts of what we take for people. */
function contradiction(ours: Plane, { data }: BytePlane, near: Plane): number {
  let people = 0
  let apart = 0
  for (let i = 0; i < data.length; i++) {
    const certain = 1 - near.data[i]!
    people += ours.data[i]! * certain
    apart += Math.abs(data[i]! / 255 - ours.data[i]!) * certain
  }
  return apart / Math.max(1, people)
}
