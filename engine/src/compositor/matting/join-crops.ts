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
  for (const crop of crops.toReversed()) {
    const { region } = crop
    const placed = placeCrop(crop, photo)
    const range = coveredRange(region, toPhoto, width, height)
    for (let y = range.top; y < range.bottom; y++) {
      const row = {
        start: y * width,
        left: range.left,
        right: range.right,
        stepX: toPhoto.xx,
        stepY: toPhoto.yx,
        x: toPhoto.xy * (y + 0.5) + toPhoto.x0 - region.x,
        y: toPhoto.yy * (y + 0.5) + toPhoto.y0 - region.y,
      }
      addRow(placed, row, result.data, hidden)
    }
  }
  releaseMemory(hidden)
  return result
}

/** A crop with what each of its rows needs. */
interface PlacedCrop {
  matte: Plane
  region: Rect
  fade: number
  /** Far away where the crop ends with the photo, so that it doesn't fade there. */
  openLeft: number
  openTop: number
  openRight: number
  openBottom: number
}

function placeCrop(
  { region, matte }: SegmentedCrop,
  photo: { width: number; height: number },
): PlacedCrop {
  return {
    matte,
    region,
    fade: 0.1 * Math.min(region.width, region.height),
    openLeft: region.x > 0 ? 0 : -1e9,
    openTop: region.y > 0 ? 0 : -1e9,
    openRight: region.x + region.width < photo.width ? 0 : 1e9,
    openBottom: region.y + region.height < photo.height ? 0 : 1e9,
  }
}

/** Columns of a row of the result, and where they lie in the crop's region. */
interface CropRow {
  /** Index of the row's first pixel. */
  start: number
  left: number
  right: number
  x: number
  y: number
  stepX: number
  stepY: number
}

/** Adds one row of a crop; `hidden` is how much closer crops have taken of each pixel. */
function addRow(crop: PlacedCrop, row: CropRow, result: Float32Array, hidden: Float32Array): void {
  const { region, matte, fade } = crop
  const { width: regionWidth, height: regionHeight } = region
  const scaleX = matte.width / regionWidth
  const scaleY = matte.height / regionHeight
  for (let x = row.left, i = row.start + x; x < row.right; x++, i++) {
    const before = hidden[i]!
    if (before === 1) continue
    const px = row.stepX * (x + 0.5) + row.x
    const py = row.stepY * (x + 0.5) + row.y
    if (px < 0 || py < 0 || px >= regionWidth || py >= regionHeight) continue
    const insideX = Math.min(px - crop.openLeft, regionWidth - px + crop.openRight)
    const insideY = Math.min(py - crop.openTop, regionHeight - py + crop.openBottom)
    const inside = insideX < insideY ? insideX : insideY
    const weight = (1 - before) * (inside >= fade ? 1 : smoothstep(0, fade, inside))
    result[i]! += bilinear(matte, px * scaleX - 0.5, py * scaleY - 0.5) * weight
    hidden[i] = inside >= fade ? 1 : before + weight
  }
}

/** As `samplePlane`, from the corner of the first pixel's middle, in fewer steps. */
function bilinear({ data, width, height }: Plane, x: number, y: number): number {
  const lastX = width - 1
  const lastY = height - 1
  const sx = x < 0 ? 0 : x > lastX ? lastX : x
  const sy = y < 0 ? 0 : y > lastY ? lastY : y
  const left = sx | 0
  const upper = sy | 0
  const fx = sx - left
  const at = upper * width + left
  const right = left < lastX ? at + 1 : at
  const down = upper < lastY ? width : 0
  const top = data[at]! + (data[right]! - data[at]!) * fx
  const bottom = data[at + down]! + (data[right + down]! - data[at + down]!) * fx
  return top + (bottom - top) * (sy - upper)
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
