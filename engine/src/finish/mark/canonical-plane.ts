import sharp from 'sharp'
import { boxBlur } from '../../compositor/box-blur.ts'
import { createPlane } from '../../compositor/raster.ts'
import type { Plane } from '../../compositor/raster.ts'
import type { RawPicture } from '../raw-picture.ts'

/**
 * Square root of a picture's area on the canonical grid. The mark is drawn and read on this grid,
 * so that it doesn't matter at which size a picture comes back.
 */
export const canonicalSide = 576

/** How many units of the canonical grid a pixel of such a picture has. */
export function canonicalScale(widthPx: number, heightPx: number): number {
  return canonicalSide / Math.sqrt(widthPx * heightPx)
}

/**
 * The picture's brightness on the canonical grid.
 * @param scale units per pixel
 * @returns BT.601 luma of the sRGB values, 0 to 255
 */
export async function readPlane(picture: RawPicture, scale: number): Promise<Plane> {
  const { pixels, widthPx, heightPx } = picture
  const width = Math.round(widthPx * scale)
  const height = Math.round(heightPx * scale)
  const rgb = await sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer()
  const plane = createPlane(width, height)
  for (let i = 0; i < plane.data.length; i++) {
    plane.data[i] = 0.299 * rgb[3 * i]! + 0.587 * rgb[3 * i + 1]! + 0.114 * rgb[3 * i + 2]!
  }
  return plane
}

/** Difference to the mean of the square of `2·radius + 1` around each place. */
export function removeMean(plane: Plane, radius: number): Plane {
  const mean = boxBlur(plane, radius)
  return { ...plane, data: plane.data.map((value, i) => value - mean.data[i]!) }
}

/** Root of the mean square over the square of `2·radius + 1` around each place. */
export function localPower(plane: Plane, radius: number): Plane {
  const squares = { ...plane, data: plane.data.map((value) => value * value) }
  const mean = boxBlur(squares, radius)
  // Running sums may end a hair below zero.
  return { ...plane, data: mean.data.map((value) => Math.sqrt(Math.max(0, value))) }
}

/** The least value over the square of `2·radius + 1` around each place. */
export function localMinimum(plane: Plane, radius: number): Plane {
  const { width, height } = plane
  const across = createPlane(width, height)
  const result = createPlane(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let least = Infinity
      const right = Math.min(width - 1, x + radius)
      for (let at = Math.max(0, x - radius); at <= right; at++) {
        least = Math.min(least, plane.data[y * width + at]!)
      }
      across.data[y * width + x] = least
    }
  }
  for (let y = 0; y < height; y++) {
    const below = Math.min(height - 1, y + radius)
    for (let x = 0; x < width; x++) {
      let least = Infinity
      for (let at = Math.max(0, y - radius); at <= below; at++) {
        least = Math.min(least, across.data[at * width + x]!)
      }
      result.data[y * width + x] = least
    }
  }
  return result
}
