import { kernels, openArena } from '../../image/kernels.ts'
import { clamp } from '../../image/raster.ts'
import type { Plane, Rect } from '../../image/raster.ts'
import type { AffineMap } from '../../image/warp.ts'

/** The network's answer for one crop: where in the photo, and the person's probability there, 256×256. */
export interface SegmentedCrop {
  region: Rect
  matte: Plane
}

/**
 * Joins the crops into one matte; a closer crop takes over inside of its region and fades out in
 * its outer tenth, except where it ends with the photo.
 * @param toPhoto maps pixels of the result to pixels of the photo
 */
export function joinCrops(
  crops: readonly SegmentedCrop[],
  photo: { width: number; height: number },
  toPhoto: AffineMap,
  width: number,
  height: number,
): Plane {
  const arena = openArena()
  const bytes = width * height * 4
  const [result, hidden] = [arena.allocate(bytes), arena.allocate(bytes)]
  arena.bytes(result, bytes).fill(0)
  arena.bytes(hidden, bytes).fill(0)
  // From the closest crop to the widest, so that nothing is sampled that would be hidden.
  for (const { region, matte } of crops.toReversed()) {
    const range = coveredRange(region, toPhoto, width, height)
    const { x, y, width: across, height: down } = region
    const { xx, xy, x0, yx, yy, y0 } = toPhoto
    const fade = 0.1 * Math.min(across, down)
    // Far away where the crop ends with the photo, so that it doesn't fade there.
    const [left, top] = [x > 0 ? 0 : -1e9, y > 0 ? 0 : -1e9]
    const right = x + across < photo.width ? 0 : 1e9
    const bottom = y + down < photo.height ? 0 : 1e9
    const place = [x, y, across, down, xx, xy, x0, yx, yy, y0]
    const numbers = Float64Array.from([...place, fade, left, top, right, bottom])
    const cropAt = arena.copyIn(matte.data)
    const into = [result, hidden, width, arena.copyIn(range), arena.copyIn(numbers)] as const
    kernels.addCrop(cropAt, matte.width, matte.height, ...into)
  }
  return { data: arena.floats(result, width * height).slice(), width, height }
}

/** The pixels of the result that a region of the photo can reach: left, right, top and bottom. */
function coveredRange(region: Rect, map: AffineMap, width: number, height: number): Int32Array {
  const norm = map.xx * map.yy - map.xy * map.yx
  const xs: number[] = []
  const ys: number[] = []
  for (const x of [region.x, region.x + region.width]) {
    for (const y of [region.y, region.y + region.height]) {
      xs.push((map.yy * (x - map.x0) - map.xy * (y - map.y0)) / norm)
      ys.push((map.xx * (y - map.y0) - map.yx * (x - map.x0)) / norm)
    }
  }
  return Int32Array.of(
    clamp(Math.floor(Math.min(...xs)), 0, width),
    clamp(Math.ceil(Math.max(...xs)), 0, width),
    clamp(Math.floor(Math.min(...ys)), 0, height),
    clamp(Math.ceil(Math.max(...ys)), 0, height),
  )
}
