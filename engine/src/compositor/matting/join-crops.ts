import { releaseMemory } from '../../release-memory.ts'
import { clamp, createPlane, smoothstep } from '../../image/raster.ts'
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
  const result = createPlane(width, height)
  // From the closest crop to the widest, so that nothing is sampled that would be hidden.
  const hidden = new Float32Array(width * height)
  for (const { region, matte } of crops.toReversed()) {
    const fade = 0.1 * Math.min(region.width, region.height)
    const scaleX = matte.width / region.width
    const scaleY = matte.height / region.height
    const openLeft = region.x > 0 ? 0 : -1e9
    const openTop = region.y > 0 ? 0 : -1e9
    const openRight = region.x + region.width < photo.width ? 0 : 1e9
    const openBottom = region.y + region.height < photo.height ? 0 : 1e9
    const range = coveredRange(region, toPhoto, width, height)
    const { data } = matte
    const lastX = matte.width - 1
    const lastY = matte.height - 1
    for (let y = range.top; y < range.bottom; y++) {
      const rowX = toPhoto.xy * (y + 0.5) + toPhoto.x0 - region.x
      const rowY = toPhoto.yy * (y + 0.5) + toPhoto.y0 - region.y
      for (let x = range.left, i = y * width + x; x < range.right; x++, i++) {
        const before = hidden[i]!
        if (before === 1) continue
        const px = toPhoto.xx * (x + 0.5) + rowX
        const py = toPhoto.yx * (x + 0.5) + rowY
        if (px < 0 || py < 0 || px >= region.width || py >= region.height) continue
        // As `samplePlane`, without a call for every pixel.
        const mx = px * scaleX - 0.5
        const my = py * scaleY - 0.5
        const sx = mx < 0 ? 0 : mx > lastX ? lastX : mx
        const sy = my < 0 ? 0 : my > lastY ? lastY : my
        const left = sx | 0
        const upper = sy | 0
        const fx = sx - left
        const fy = sy - upper
        const at = upper * matte.width + left
        const right = left < lastX ? at + 1 : at
        const down = upper < lastY ? matte.width : 0
        const top = data[at]! + (data[right]! - data[at]!) * fx
        const bottom = data[at + down]! + (data[right + down]! - data[at + down]!) * fx
        const value = top + (bottom - top) * fy
        const insideX = Math.min(px - openLeft, region.width - px + openRight)
        const insideY = Math.min(py - openTop, region.height - py + openBottom)
        const inside = insideX < insideY ? insideX : insideY
        const weight = (1 - before) * (inside >= fade ? 1 : smoothstep(0, fade, inside))
        result.data[i]! += value * weight
        hidden[i] = inside >= fade ? 1 : before + weight
      }
    }
  }
  releaseMemory(hidden)
  return result
}

/** The pixels of the result that a region of the photo can reach. */
function coveredRange(
  region: Rect,
  map: AffineMap,
  width: number,
  height: number,
): { left: number; right: number; top: number; bottom: number } {
  const norm = map.xx * map.yy - map.xy * map.yx
  const xs: number[] = []
  const ys: number[] = []
  for (const x of [region.x, region.x + region.width]) {
    for (const y of [region.y, region.y + region.height]) {
      xs.push((map.yy * (x - map.x0) - map.xy * (y - map.y0)) / norm)
      ys.push((map.xx * (y - map.y0) - map.yx * (x - map.x0)) / norm)
    }
  }
  return {
    left: clamp(Math.floor(Math.min(...xs)), 0, width),
    right: clamp(Math.ceil(Math.max(...xs)), 0, width),
    top: clamp(Math.floor(Math.min(...ys)), 0, height),
    bottom: clamp(Math.ceil(Math.max(...ys)), 0, height),
  }
}
