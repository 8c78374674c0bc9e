import sharp from 'sharp'
import { releaseMemory } from '../release-memory.ts'
import { cubicWeights } from './cubic-weights.ts'
import { kernels, openArena } from './kernels.ts'
import { clamp, createBytePlane, createRgb } from './raster.ts'
import type { BytePlane, Rect, RgbImage } from './raster.ts'
import { applySimilarity, invertSimilarity, similarityScale } from './warp.ts'
import type { AffineMap, Similarity } from './warp.ts'

/** A photo in the picture's frame. */
export interface WarpedPhoto {
  image: RgbImage
  /** Warped like the photo; undefined where none was given. */
  matte: BytePlane | undefined
}

/** Interleaved bytes of any number of channels. */
interface Bytes {
  data: Uint8Array
  channels: 1 | 3
  width: number
  height: number
}

/** As `warpInto`, into memory of its own. */
export async function warpPhoto(
  photo: RgbImage,
  matte: BytePlane | undefined,
  toPicture: Similarity,
  width: number,
  height: number,
): Promise<WarpedPhoto> {
  const target = {
    image: createRgb(width, height),
    matte: matte && createBytePlane(width, height),
  }
  await warpInto(target, photo, matte, toPicture)
  return target
}

/**
 * Brings a photo into the picture's frame: libvips resizes the needed part (Lanczos 3), then it is
 * set in place, rotated bilinearly where the head's roll is corrected.
 * @param target black and empty, as it stays outside of the photo
 * @param within the part of it that the photo lies in
 */
export async function warpInto(
  { image, matte: warpedMatte }: WarpedPhoto,
  photo: RgbImage,
  matte: BytePlane | undefined,
  toPicture: Similarity,
  within: Rect = { x: 0, y: 0, width: image.width, height: image.height },
): Promise<void> {
  const part = neededPart(photo, toPicture, within)
  const scale = similarityScale(toPicture)
  const size = {
    width: Math.max(1, Math.round(part.width * scale)),
    height: Math.max(1, Math.round(part.height * scale)),
  }
  const isMovedOnly =
    size.width === part.width && size.height === part.height && !isRotated(toPicture)
  const warp = async (source: Bytes, target: Bytes): Promise<void> => {
    if (isMovedOnly) {
      // As a layer of the picture's own size is.
      const { left, top } = cornerOf(part, toPicture)
      return copyInto(source, target, left - part.x, top - part.y)
    }
    const scaled = await resizePart(source, part, size)
    setInPlace(scaled, target, part, toPicture)
    releaseMemory(scaled.data)
  }
  await Promise.all([
    warp({ ...photo, channels: 3 }, { ...image, channels: 3 }),
    matte && warpedMatte && warp({ ...matte, channels: 1 }, { ...warpedMatte, channels: 1 }),
  ])
}

/** The part of the photo that the picture can show, with a margin for the filter. */
function neededPart(
  photo: { width: number; height: number },
  toPicture: Similarity,
  { x: left, y: top, width, height }: Rect,
): Rect {
  const back = invertSimilarity(toPicture)
  const corners = [
    { x: left, y: top },
    { x: left + width, y: top },
    { x: left, y: top + height },
    { x: left + width, y: top + height },
  ].map((corner) => applySimilarity(back, corner))
  const xs = corners.map((corner) => corner.x)
  const ys = corners.map((corner) => corner.y)
  const x = clamp(Math.floor(Math.min(...xs)) - 4, 0, photo.width - 1)
  const y = clamp(Math.floor(Math.min(...ys)) - 4, 0, photo.height - 1)
  return {
    x,
    y,
    width: clamp(Math.ceil(Math.max(...xs)) + 4, x + 1, photo.width) - x,
    height: clamp(Math.ceil(Math.max(...ys)) + 4, y + 1, photo.height) - y,
  }
}

async function resizePart(
  source: Bytes,
  part: Rect,
  { width, height }: { width: number; height: number },
): Promise<Bytes> {
  const { channels } = source
  const isLarger = width > part.width || height > part.height
  if (isLarger && width >= part.width && height >= part.height) {
    return enlarge(source, part, { width, height })
  }
  const resizer = sharp(source.data, {
    raw: { width: source.width, height: source.height, channels },
  })
  if (part.width !== source.width || part.height !== source.height) {
    resizer.extract({ left: part.x, top: part.y, width: part.width, height: part.height })
  }
  if (width !== part.width || height !== part.height) {
    resizer.resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
  }
  if (channels === 1) resizer.toColourspace('b-w')
  return { data: await resizer.raw().toBuffer(), channels, width, height }
}

/** Rows that are enlarged at once; all of them would need much memory a second time. */
const rowsAtOnce = 64

/** A part of an image, enlarged by Catmull and Rom's spline (Keys 1981, a = -1/2), as libvips does it slowly. */
function enlarge(
  { data, channels, width: sourceWidth }: Bytes,
  part: Rect,
  { width, height }: { width: number; height: number },
): Bytes {
  const enlarged = new Uint8Array(width * height * channels)
  const stride = part.width * channels
  const arena = openArena()
  const rowPlaces = placesBetween(part.height, height, stride)
  const rows = arena.copyIn(rowPlaces)
  const source = arena.allocate((rowsAtOnce + 4) * stride)
  const columns = arena.copyIn(placesBetween(part.width, width, channels * 4))
  const line = arena.allocate(stride * 4)
  const target = arena.allocate(rowsAtOnce * width * channels)
  for (let y = 0; y < height; y += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, height - y)
    const first = rowPlaces[8 * y]! / stride
    const last = rowPlaces[8 * (y + count) - 5]! / stride
    for (let row = first; row <= last; row++) {
      const from = ((part.y + row) * sourceWidth + part.x) * channels
      arena.bytes(source + (row - first) * stride, stride).set(data.subarray(from, from + stride))
    }
    const places = [rows + y * 32, columns, line] as const
    kernels.enlarge(source - first * stride, stride, target, width, count, channels, ...places)
    enlarged.set(arena.bytes(target, count * width * channels), y * width * channels)
  }
  return { data: enlarged, channels, width, height }
}

/** For each place of an enlarged axis the four of the source about it, times `step`, and their weights. */
function placesBetween(sourceSize: number, size: number, step: number): Int32Array {
  const whole = new Int32Array(8 * size)
  const real = new Float32Array(whole.buffer)
  for (let n = 0; n < size; n++) {
    const place = (n * sourceSize) / size - 0.5
    const cell = Math.floor(place)
    for (let i = 0; i < 4; i++) whole[8 * n + i] = clamp(cell - 1 + i, 0, sourceSize - 1) * step
    // In steps of 1/64, as libvips has them.
    real.set(cubicWeights(Math.round((place - cell) * 64) / 64), 8 * n + 4)
  }
  return whole
}

/** Sets a scaled part of the photo into the picture's frame. */
function setInPlace(scaled: Bytes, target: Bytes, part: Rect, toPicture: Similarity): void {
  if (isRotated(toPicture)) {
    // From the picture's pixels to the scaled part's pixels.
    const back = invertSimilarity(toPicture)
    const scaleX = scaled.width / part.width
    const scaleY = scaled.height / part.height
    sampleRotated(scaled, target, {
      xx: back.a * scaleX,
      xy: -back.b * scaleX,
      x0: (back.tx - part.x) * scaleX,
      yx: back.b * scaleY,
      yy: back.a * scaleY,
      y0: (back.ty - part.y) * scaleY,
    })
  } else {
    const { left, top } = cornerOf(part, toPicture)
    copyInto(scaled, target, left, top)
  }
}

function isRotated({ a, b }: Similarity): boolean {
  return Math.abs(b) > 1e-6 * Math.abs(a)
}

/** Where the corner of a part comes to lie that is not rotated. */
function cornerOf({ x, y }: Rect, { a, tx, ty }: Similarity): { left: number; top: number } {
  return { left: Math.round(a * x + tx), top: Math.round(a * y + ty) }
}

function copyInto(source: Bytes, target: Bytes, left: number, top: number): void {
  const { channels } = source
  const from = Math.max(0, -left)
  const to = Math.min(source.width, target.width - left)
  if (to <= from) return
  for (let y = Math.max(0, -top); y < source.height && y + top < target.height; y++) {
    const row = source.data.subarray(
      (y * source.width + from) * channels,
      (y * source.width + to) * channels,
    )
    target.data.set(row, ((y + top) * target.width + left + from) * channels)
  }
}

/** @param toSource maps pixels of the target to pixels of the source */
function sampleRotated(source: Bytes, target: Bytes, toSource: AffineMap): void {
  const { channels } = source
  const { xx, xy, x0: shiftX, yx, yy, y0: shiftY } = toSource
  const from = source.data
  for (let y = 0, out = 0; y < target.height; y++) {
    for (let x = 0; x < target.width; x++, out += channels) {
      const sx = xx * (x + 0.5) + xy * (y + 0.5) + shiftX - 0.5
      const sy = yx * (x + 0.5) + yy * (y + 0.5) + shiftY - 0.5
      const x0 = Math.floor(sx)
      const y0 = Math.floor(sy)
      if (x0 < 0 || y0 < 0 || x0 >= source.width - 1 || y0 >= source.height - 1) continue
      const fx = sx - x0
      const fy = sy - y0
      const at = (y0 * source.width + x0) * channels
      const below = at + source.width * channels
      for (let c = 0; c < channels; c++) {
        const top = from[at + c]! * (1 - fx) + from[at + channels + c]! * fx
        const bottom = from[below + c]! * (1 - fx) + from[below + channels + c]! * fx
        target.data[out + c] = top * (1 - fy) + bottom * fy + 0.5
      }
    }
  }
}
