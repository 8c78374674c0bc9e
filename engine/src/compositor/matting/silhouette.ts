import { gaussianBlur } from '../../image/box-blur.ts'
import { joinHeads } from '../faces/join-heads.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import { clamp, createPlane } from '../../image/raster.ts'
import type { BytePlane, Plane, Point } from '../../image/raster.ts'
import { releaseMemory } from '../../release-memory.ts'

/** The outline of a person as the layout needs it, in pixels of the photo. */
export interface Silhouette {
  /** A small matte of the person, 0…255, over the whole photo. */
  mask: BytePlane
  /** Pixels of the photo per pixel of the mask. */
  maskScale: number
  /** Size of the photo. */
  photo: { width: number; height: number }
  /** Top of the hair. */
  top: number
  /** From the face's middle to the hair's outermost edge, left and right. */
  hairLeft: number
  hairRight: number
  /** Points where the person runs out of the photo. */
  cuts: Point[]
  /** Points where the person was parted from a neighbour. */
  seams: Point[]
}

/** A link thinner than about twice this, in head sizes, doesn't make two things one. */
const linkWidth = 0.1
/** What is less than this (0…1) joins nothing to a person. */
const seenMin = 0.15

/**
 * Keeps what hangs together with the face and drops the rest. What hangs on by a thread only, a
 * lamp or a tower that touches a shoulder, is dropped too: the matte is eroded (a blur of
 * `linkWidth`, then a threshold of 0.7), the face's component taken, and grown back by what touches it.
 * @param faces middle of each face and size of its head, in pixels of the matte; at least one
 */
export function keepConnected(matte: Plane, faces: readonly FaceInMatte[]): Plane {
  const { width, height, data } = matte
  const decided = createPlane(width, height)
  for (let i = 0; i < data.length; i++) decided.data[i] = data[i]! > 0.5 ? 1 : 0
  // The faces are there, whatever the networks say.
  for (const face of faces) markFace(decided, face)
  const link = Math.min(...faces.map((face) => face.size)) * linkWidth
  const eroded = gaussianBlur(decided, link)
  const core = takeComponents(eroded, faces, 0.7)
  const grown = gaussianBlur(core, link)
  for (let i = 0; i < data.length; i++) grown.data[i] = grown.data[i]! > 0.01 ? data[i]! : 0
  for (const face of faces) markFace(grown, face)
  const result = takeComponents(grown, faces, seenMin)
  for (let i = 0; i < data.length; i++) result.data[i]! *= data[i]!
  releaseMemory(decided.data, eroded.data, core.data, grown.data)
  return result
}

interface FaceInMatte extends Point {
  size: number
}

function markFace({ data, width, height }: Plane, face: FaceInMatte): void {
  const radius = face.size * 0.3
  const bottom = Math.min(height, Math.ceil(face.y + radius))
  const right = Math.min(width, Math.ceil(face.x + radius))
  for (let y = Math.max(0, Math.floor(face.y - radius)); y < bottom; y++) {
    for (let x = Math.max(0, Math.floor(face.x - radius)); x < right; x++) {
      if ((x + 0.5 - face.x) ** 2 + (y + 0.5 - face.y) ** 2 < radius ** 2) data[y * width + x] = 1
    }
  }
}

/** 1 for every pixel above the threshold that hangs together with one of the starts, else 0. */
function takeComponents(plane: Plane, starts: readonly Point[], threshold: number): Plane {
  const { width, height, data } = plane
  const taken = createPlane(width, height)
  const stack: number[] = []
  const visit = (x: number, y: number): void => {
    const i = y * width + x
    if (taken.data[i]! > 0 || data[i]! < threshold) return
    taken.data[i] = 1
    stack.push(i)
  }
  for (const { x, y } of starts) {
    visit(clamp(Math.floor(x), 0, width - 1), clamp(Math.floor(y), 0, height - 1))
  }
  while (stack.length > 0) {
    const i = stack.pop()!
    const x = i % width
    const y = (i - x) / width
    if (x > 0) visit(x - 1, y)
    if (x < width - 1) visit(x + 1, y)
    if (y > 0) visit(x, y - 1)
    if (y < height - 1) visit(x, y + 1)
  }
  return taken
}

/**
 * Reads the outline from a small matte of one person, or of several who stay together.
 * @param heads at least one
 * @param people the matte of everybody before neighbours were taken away, of the same size
 */
export function traceSilhouette(
  matte: Plane,
  heads: readonly HeadMeasure[],
  photo: { width: number; height: number },
  people: Plane = matte,
): Silhouette {
  const { width, height, data } = matte
  const maskScale = photo.width / width
  const mask = { data: new Uint8Array(width * height), width, height }
  for (let i = 0; i < data.length; i++) mask.data[i] = Math.round(data[i]! * 255)
  const { centre } = joinHeads(heads)
  const hair = heads.map((head) => measureHair(matte, head, maskScale))
  return {
    mask,
    maskScale,
    photo: { width: photo.width, height: photo.height },
    top: Math.min(...hair.map(({ top }) => top)),
    hairLeft: Math.max(...hair.map(({ left }, n) => centre.x - heads[n]!.centre.x + left)),
    hairRight: Math.max(...hair.map(({ right }, n) => heads[n]!.centre.x - centre.x + right)),
    cuts: traceCuts(matte, maskScale, photo),
    seams: traceSeams(matte, people, maskScale),
  }
}

/** Top of one head's hair, and how far it reaches to both sides of the face's middle. */
function measureHair(
  { width, height, data }: Plane,
  head: HeadMeasure,
  maskScale: number,
): { top: number; left: number; right: number } {
  const column = Math.min(Math.max(Math.floor(head.centre.x / maskScale), 0), width - 1)
  const chinRow = Math.min(Math.floor(head.chin.y / maskScale), height - 1)
  const browRow = Math.min(Math.max(Math.floor(head.foreheadTop.y / maskScale), 0), height - 1)
  let topRow = browRow
  while (topRow > 0 && data[(topRow - 1) * width + column]! > 0.5) topRow--
  let hairLeft = head.faceWidth / 2
  let hairRight = head.faceWidth / 2
  for (let y = topRow; y <= chinRow; y++) {
    let left = column
    while (left > 0 && data[y * width + left - 1]! > 0.5) left--
    let right = column
    while (right < width - 1 && data[y * width + right + 1]! > 0.5) right++
    hairLeft = Math.max(hairLeft, head.centre.x - left * maskScale)
    hairRight = Math.max(hairRight, (right + 1) * maskScale - head.centre.x)
  }
  return { top: topRow * maskScale, left: hairLeft, right: hairRight }
}

/** A person whose matte (0…1) is more than this at the photo's border goes on behind it. */
const cutMin = 0.2

function traceCuts(
  matte: Plane,
  maskScale: number,
  photo: { width: number; height: number },
): Point[] {
  const { width, height, data } = matte
  const cuts: Point[] = []
  for (let y = 0; y < height; y++) {
    const py = (y + 0.5) * maskScale
    if (data[y * width]! > cutMin) cuts.push({ x: 0, y: py })
    if (data[y * width + width - 1]! > cutMin) cuts.push({ x: photo.width, y: py })
  }
  for (let x = 0; x < width; x++) {
    const px = (x + 0.5) * maskScale
    if (data[x]! > cutMin) cuts.push({ x: px, y: 0 })
    if (data[(height - 1) * width + x]! > cutMin) cuts.push({ x: px, y: photo.height })
  }
  return cuts
}

/** Where the person ends and somebody else goes on. */
function traceSeams(matte: Plane, people: Plane, maskScale: number): Point[] {
  const { width, data } = matte
  const seams: Point[] = []
  for (let i = width; i < data.length - width; i++) {
    const x = i % width
    if (x === 0 || x === width - 1 || !isSeam(people.data, data, i, width)) continue
    seams.push({ x: (x + 0.5) * maskScale, y: (Math.floor(i / width) + 0.5) * maskScale })
  }
  return seams
}

/** Whether a pixel is the person, and one beside it somebody else. */
function isSeam(people: Float32Array, person: Float32Array, i: number, width: number): boolean {
  if (person[i]! < 0.5) return false
  return (
    isOther(people, person, i - 1) ||
    isOther(people, person, i + 1) ||
    isOther(people, person, i - width) ||
    isOther(people, person, i + width)
  )
}

/** Whether a pixel is somebody, but not the person. */
function isOther(people: Float32Array, person: Float32Array, i: number): boolean {
  return people[i]! > 0.5 && person[i]! < 0.5
}
