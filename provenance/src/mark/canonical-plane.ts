import sharp from 'sharp'
import { boxBlur } from '@starside/engine/image/box-blur.ts'
import { kernels, openArena } from '@starside/engine/image/kernels.ts'
import { createPlane } from '@starside/engine/image/raster.ts'
import type { Plane } from '@starside/engine/image/raster.ts'
import { releaseMemory } from '@starside/engine/release-memory.ts'
import type { RawPicture } from '@starside/engine/finish/raw-picture.ts'

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
  releaseMemory(rgb)
  return plane
}

/** Difference to the mean of the square of `2·radius + 1` around each place. */
export function removeMean(plane: Plane, radius: number): Plane {
  const { data } = boxBlur(plane, radius)
  for (let i = 0; i < data.length; i++) data[i] = plane.data[i]! - data[i]!
  return { ...plane, data }
}

/** Root of the mean square over the square of `2·radius + 1` around each place. */
export function localPower(plane: Plane, radius: number): Plane {
  const squares = createPlane(plane.width, plane.height)
  for (let i = 0; i < squares.data.length; i++) squares.data[i] = plane.data[i]! * plane.data[i]!
  const { data } = boxBlur(squares, radius)
  releaseMemory(squares.data)
  // Running sums may end a hair below zero.
  for (let i = 0; i < data.length; i++) data[i] = Math.sqrt(Math.max(0, data[i]!))
  return { ...plane, data }
}

/** The least value over the square of `2·radius + 1` around each place. */
export function localMinimum({ data, width, height }: Plane, radius: number): Plane {
  const arena = openArena()
  const source = arena.copyIn(data)
  const across = arena.allocate(data.byteLength)
  const target = arena.allocate(data.byteLength)
  kernels.localMinimum(source, across, target, width, height, radius)
  return { data: arena.floats(target, data.length).slice(), width, height }
}
