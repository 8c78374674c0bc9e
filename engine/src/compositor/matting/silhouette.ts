import { gaussianBlur } from '../../image/box-blur.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import { clamp, createPlane } from '../../image/raster.ts'
import type { BytePlane, Plane, Point } from '../../image/raster.ts'

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

/**
 * Keeps what hangs together with the face and drops the rest. What hangs on by a thread only, a
 * lamp or a tower that touches a shoulder, is dropped too: the matte is eroded (a blur of
 * `linkWidth`, then a threshold of 0.7), the face's component taken, and grown back.
 * @param face middle of the face and size of the head, in pixels of the matte
 */
export function keepConnected(matte: Plane, face: { x: number; y: number; size: number }): Plane {
  const { width, height, data } = matte
  const decided = createPlane(width, height)
  const faceReach = (face.size * 0.3) ** 2
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      // The face is there, whatever the networks say.
      const inFace = (x + 0.5 - face.x) ** 2 + (y + 0.5 - face.y) ** 2 < faceReach
      decided.data[i] = inFace || data[i]! > 0.5 ? 1 : 0
    }
  }
  const eroded = gaussianBlur(decided, face.size * linkWidth)
  const core = takeComponent(eroded, face.x, face.y, 0.7)
  const reach = gaussianBlur(core, face.size * linkWidth)
  const result = createPlane(width, height)
  for (let i = 0; i < data.length; i++) result.data[i] = reach.data[i]! > 0.01 ? data[i]! : 0
  return result
}

/** 1 for every pixel above the threshold that hangs together with the start, else 0. */
function takeComponent(plane: Plane, startX: number, startY: number, threshold: number): Plane {
  const { width, height, data } = plane
  const taken = createPlane(width, height)
  const stack: number[] = []
  const visit = (x: number, y: number): void => {
    const i = y * width + x
    if (taken.data[i]! > 0 || data[i]! < threshold) return
    taken.data[i] = 1
    stack.push(i)
  }
  visit(clamp(Math.floor(startX), 0, width - 1), clamp(Math.floor(startY), 0, height - 1))
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
 * Reads the outline from a small matte of one person.
 * @param people the matte of everybody before neighbours were taken away, of the same size
 */
export function traceSilhouette(
  matte: Plane,
  head: HeadMeasure,
  photo: { width: number; height: number },
  people: Plane = matte,
): Silhouette {
  const { width, height, data } = matte
  const maskScale = photo.width / width
  const mask = { data: new Uint8Array(width * height), width, height }
  for (let i = 0; i < data.length; i++) mask.data[i] = Math.round(data[i]! * 255)
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
  return {
    mask,
    maskScale,
    photo: { width: photo.width, height: photo.height },
    top: topRow * maskScale,
    hairLeft,
    hairRight,
    cuts: traceCuts(matte, maskScale, photo),
    seams: traceSeams(matte, people, maskScale),
  }
}

function traceCuts(
  matte: Plane,
  maskScale: number,
  photo: { width: number; height: number },
): Point[] {
  const { width, height, data } = matte
  const cuts: Point[] = []
  for (let y = 0; y < height; y++) {
    const py = (y + 0.5) * maskScale
    if (data[y * width]! > 0.2) cuts.push({ x: 0, y: py })
    if (data[y * width + width - 1]! > 0.2) cuts.push({ x: photo.width, y: py })
  }
  for (let x = 0; x < width; x++) {
    const px = (x + 0.5) * maskScale
    if (data[x]! > 0.2) cuts.push({ x: px, y: 0 })
    if (data[(height - 1) * width + x]! > 0.2) cuts.push({ x: px, y: photo.height })
  }
  return cuts
}

/** Where the person ends and somebody else goes on. */
function traceSeams(matte: Plane, people: Plane, maskScale: number): Point[] {
  const { width, height, data } = matte
  const seams: Point[] = []
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x
      if (data[i]! < 0.5) continue
      const isSeam =
        isOther(people.data, data, i - 1) ||
        isOther(people.data, data, i + 1) ||
        isOther(people.data, data, i - width) ||
        isOther(people.data, data, i + width)
      if (!isSeam) continue
      seams.push({ x: (x + 0.5) * maskScale, y: (y + 0.5) * maskScale })
    }
  }
  return seams
}

/** Whether a pixel is somebody, but not the person. */
function isOther(people: Float32Array, person: Float32Array, i: number): boolean {
  return people[i]! > 0.6 && person[i]! < 0.5
}
