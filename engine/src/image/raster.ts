/**
 * The images that the stages hand on. All are dense, rows from the top, no padding.
 * Coordinates: pixel (0, 0) covers the square from 0 to 1, so its centre is at (0.5, 0.5).
 */

/** Interleaved 8-bit sRGB. */
export interface RgbImage {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** One channel of floats, mostly 0…1. */
export interface Plane {
  readonly data: Float32Array
  readonly width: number
  readonly height: number
}

/** One channel of bytes; an alpha has 0 for background, 255 for person. */
export interface BytePlane {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** A rectangle in pixels; may have fractions and may reach outside of its image. */
export interface Rect {
  x: number
  y: number
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

export function createRgb(width: number, height: number): RgbImage {
  return { data: new Uint8Array(width * height * 3), width, height }
}

/** A square about a point, cut at the image's border, and its corner's place in the image. */
export function cropAbout(
  image: RgbImage,
  centre: Point,
  reach: number,
): { part: RgbImage; x: number; y: number } {
  const x = clamp(Math.floor(centre.x - reach), 0, image.width - 1)
  const y = clamp(Math.floor(centre.y - reach), 0, image.height - 1)
  const width = clamp(Math.ceil(centre.x + reach), x + 1, image.width) - x
  const height = clamp(Math.ceil(centre.y + reach), y + 1, image.height) - y
  const part = createRgb(width, height)
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * image.width + x) * 3
    part.data.set(image.data.subarray(from, from + width * 3), row * width * 3)
  }
  return { part, x, y }
}

export function createPlane(width: number, height: number): Plane {
  return { data: new Float32Array(width * height), width, height }
}

export function createBytePlane(width: number, height: number): BytePlane {
  return { data: new Uint8Array(width * height), width, height }
}

/** Limits a number to a range. */
export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value
}

/** 0 below `low`, 1 above `high`, smooth between (cubic Hermite). */
export function smoothstep(low: number, high: number, value: number): number {
  const t = clamp((value - low) / (high - low), 0, 1)
  return t * t * (3 - 2 * t)
}
