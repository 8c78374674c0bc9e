import { createPlane, createRgb } from '../image/raster.ts'
import type { Plane, RgbImage } from '../image/raster.ts'

/** Small images for tests, painted by a function of the pixel. */
export function paintRgb(
  width: number,
  height: number,
  colour: (x: number, y: number) => readonly [number, number, number],
): RgbImage {
  const image = createRgb(width, height)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 3) image.data.set(colour(x, y), i)
  }
  return image
}

export function paintPlane(
  width: number,
  height: number,
  value: (x: number, y: number) => number,
): Plane {
  const plane = createPlane(width, height)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) plane.data[i] = value(x, y)
  }
  return plane
}

/** Noise of a uniform spread, the same at every run. */
export function createNoise(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296 - 0.5
  }
}
