/** Dense images, rows from the top, no padding; the centre of pixel (0, 0) is at (0.5, 0.5). */

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
