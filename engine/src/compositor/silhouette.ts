import type { HeadMeasure } from './measure-head.ts'
import type { BytePlane, Plane, Point } from './raster.ts'

/** The outline of a person as the layout needs it, in pixels of the photo. */
export interface Silhouette {
  /** A small matte of the person, 0…255, over the whole photo. */
  mask: BytePlane
  /** Pixels of the photo per pixel of the mask. */
  maskScale: number
  photoHeight: number
  /** Top of the hair. */
  top: number
  /** From the face's middle to the hair's outermost edge, left and right. */
  hairLeft: number
  hairRight: number
  /** Points where the person runs out of the photo. */
  cuts: Point[]
}

/** Keeps what hangs together with the face and drops the rest (mask of 0…1, threshold 0.3). */
export function keepConnected(matte: Plane, faceX: number, faceY: number): Plane {
  const { width, height, data } = matte
  const kept = new Float32Array(width * height)
  const stack: number[] = []
  const visit = (x: number, y: number): void => {
    const i = y * width + x
    if (kept[i]! > 0 || data[i]! < 0.3) return
    kept[i] = data[i]!
    stack.push(i)
  }
  const startX = Math.min(Math.max(Math.floor(faceX), 0), width - 1)
  const startY = Math.min(Math.max(Math.floor(faceY), 0), height - 1)
  visit(startX, startY)
  while (stack.length > 0) {
    const i = stack.pop()!
    const x = i % width
    const y = (i - x) / width
    if (x > 0) visit(x - 1, y)
    if (x < width - 1) visit(x + 1, y)
    if (y > 0) visit(x, y - 1)
    if (y < height - 1) visit(x, y + 1)
  }
  // Soft rims reach two pixels below the threshold.
  const result = new Float32Array(width * height)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      let near = false
      for (let dy = -2; dy <= 2 && !near; dy++) {
        for (let dx = -2; dx <= 2 && !near; dx++) {
          const nx = x + dx
          const ny = y + dy
          near = nx >= 0 && ny >= 0 && nx < width && ny < height && kept[ny * width + nx]! > 0
        }
      }
      if (near) result[i] = data[i]!
    }
  }
  return { data: result, width, height }
}

/** Reads the outline from a small matte of one person. */
export function traceSilhouette(
  matte: Plane,
  head: HeadMeasure,
  photo: { width: number; height: number },
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
    photoHeight: photo.height,
    top: topRow * maskScale,
    hairLeft,
    hairRight,
    cuts: traceCuts(matte, maskScale, photo),
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
