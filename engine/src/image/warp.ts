import { levelFor } from './pyramid.ts'
import type { Pyramid } from './pyramid.ts'
import { clamp } from './raster.ts'
import type { Point, RgbImage } from './raster.ts'

/** A similarity in pixel coordinates: `x' = a·x − b·y + tx`, `y' = b·x + a·y + ty`. */
export interface Similarity {
  a: number
  b: number
  tx: number
  ty: number
}

/** The similarity that scales and rotates (radians, clockwise in image axes) about `from`, onto `to`. */
export function similarity(scale: number, rotation: number, from: Point, to: Point): Similarity {
  const a = scale * Math.cos(rotation)
  const b = scale * Math.sin(rotation)
  return { a, b, tx: to.x - (a * from.x - b * from.y), ty: to.y - (b * from.x + a * from.y) }
}

export function applySimilarity(map: Similarity, point: Point): Point {
  return {
    x: map.a * point.x - map.b * point.y + map.tx,
    y: map.b * point.x + map.a * point.y + map.ty,
  }
}

export function invertSimilarity(map: Similarity): Similarity {
  const norm = map.a * map.a + map.b * map.b
  const a = map.a / norm
  const b = -map.b / norm
  return { a, b, tx: -(a * map.tx - b * map.ty), ty: -(b * map.tx + a * map.ty) }
}

export function similarityScale(map: Similarity): number {
  return Math.hypot(map.a, map.b)
}

/** How far a similarity rotates, in radians clockwise. */
export function similarityRotation(map: Similarity): number {
  return Math.atan2(map.b, map.a)
}

/** Maps pixels of a result to pixels of the photo; the axes may have different scales. */
export interface AffineMap {
  xx: number
  xy: number
  x0: number
  yx: number
  yy: number
  y0: number
}

/** A similarity as an affine map. */
export function affineOf(map: Similarity): AffineMap {
  return { xx: map.a, xy: -map.b, x0: map.tx, yx: map.b, yy: map.a, y0: map.ty }
}

/** What stands where the warped image leaves the photo: its edge repeated, or a grey. */
export type Outside = 'edge' | number

/** What a photo is sampled to. */
export interface FloatGrid {
  width: number
  height: number
  /** The values that 0 and 255 become. */
  range: readonly [number, number]
  outside?: Outside
}

/**
 * Samples a photo into floats for a network, bilinearly from the halving that is nearest to the
 * wanted size but not coarser.
 * @param toSource maps pixels of the result to pixels of the photo's level 0
 * @returns interleaved RGB, `width × height × 3`
 */
export function warpToFloats(
  pyramid: Pyramid,
  toSource: Similarity,
  { width, height, range, outside = 0 }: FloatGrid,
): Float32Array {
  const level = levelFor(pyramid, similarityScale(toSource))
  const shrink = 1 / 2 ** level
  const [low, high] = range
  const gain = (high - low) / 255
  const sampling = {
    image: pyramid.levels[level]!,
    stepX: toSource.a * shrink,
    stepY: toSource.b * shrink,
    low,
    gain,
    grey: outside === 'edge' ? undefined : low + outside * gain,
  }
  const result = new Float32Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    const x0 = toSource.tx * shrink - 0.5 - sampling.stepY * (y + 0.5)
    const y0 = toSource.ty * shrink - 0.5 + sampling.stepX * (y + 0.5)
    sampleRow(sampling, x0, y0, result.subarray(y * width * 3, (y + 1) * width * 3))
  }
  return result
}

interface RowSampling {
  image: RgbImage
  /** From one pixel of the row to the next, in the image. */
  stepX: number
  stepY: number
  low: number
  gain: number
  /** What stands outside of the image; undefined: its edge. */
  grey: number | undefined
}

/** Samples one row of the result; it begins half a step after a point of the image. */
function sampleRow(
  { image, stepX, stepY, low, gain, grey }: RowSampling,
  fromX: number,
  fromY: number,
  result: Float32Array,
): void {
  const source = image.data
  const maxX = image.width - 1
  const maxY = image.height - 1
  const right = maxX > 0 ? 3 : 0
  const below = maxY > 0 ? image.width * 3 : 0
  for (let x = 0.5, out = 0; out < result.length; x++, out += 3) {
    let sx = fromX + stepX * x
    let sy = fromY + stepY * x
    if (grey !== undefined && (sx < -0.5 || sy < -0.5 || sx > maxX + 0.5 || sy > maxY + 0.5)) {
      result[out] = result[out + 1] = result[out + 2] = grey
      continue
    }
    sx = clamp(sx, 0, maxX)
    sy = clamp(sy, 0, maxY)
    const x0 = Math.min(Math.floor(sx), Math.max(maxX - 1, 0))
    const y0 = Math.min(Math.floor(sy), Math.max(maxY - 1, 0))
    const fx = sx - x0
    const fy = sy - y0
    for (let c = out, at = (y0 * image.width + x0) * 3; c < out + 3; c++, at++) {
      const top = source[at]! * (1 - fx) + source[at + right]! * fx
      const bottom = source[at + below]! * (1 - fx) + source[at + below + right]! * fx
      result[c] = low + (top * (1 - fy) + bottom * fy) * gain
    }
  }
}
