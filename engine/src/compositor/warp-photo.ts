import sharp from 'sharp'
import { releaseMemory } from '../release-memory.ts'
import { clamp, createBytePlane, createRgb } from './raster.ts'
import type { BytePlane, Rect, RgbImage } from './raster.ts'
import { applySimilarity, invertSimilarity, similarityScale } from './warp.ts'
import type { Similarity } from './warp.ts'

/** A photo seen in the picture's frame, and where it lies in it. */
export interface WarpedPhoto {
  image: RgbImage
  /** Warped like the photo; undefined where none was given. */
  matte: BytePlane | undefined
  /** The photo's own rectangle in the picture (before any turn about its corner). */
  coverage: Rect
}

/**
 * Brings a photo into the picture's frame: libvips resizes the needed part (Lanczos 3), then it is
 * set in place, turned bilinearly where the head's roll is corrected. Outside of the photo the
 * result is black.
 */
export async function warpPhoto(
  photo: RgbImage,
  matte: BytePlane | undefined,
  toPicture: Similarity,
  width: number,
  height: number,
): Promise<WarpedPhoto> {
  const part = neededPart(photo, toPicture, width, height)
  const scale = similarityScale(toPicture)
  const scaledWidth = Math.max(1, Math.round(part.width * scale))
  const scaledHeight = Math.max(1, Math.round(part.height * scale))
  const image = await resizePart(photo.data, photo, 3, part, scaledWidth, scaledHeight)
  const scaledMatte = matte
    ? await resizePart(matte.data, matte, 1, part, scaledWidth, scaledHeight)
    : undefined
  // From the picture's pixels to the scaled part's pixels.
  const back = invertSimilarity(toPicture)
  const stretchX = scaledWidth / part.width
  const stretchY = scaledHeight / part.height
  const result = createRgb(width, height)
  const resultMatte = scaledMatte ? createBytePlane(width, height) : undefined
  const turned = Math.abs(back.b) > 1e-6 * Math.abs(back.a)
  if (turned) {
    const sample = (source: Uint8Array, channels: number, target: Uint8Array): void =>
      sampleTurned(source, scaledWidth, scaledHeight, channels, target, width, height, {
        ax: back.a * stretchX,
        bx: -back.b * stretchX,
        tx: (back.tx - part.x) * stretchX,
        ay: back.b * stretchY,
        by: back.a * stretchY,
        ty: (back.ty - part.y) * stretchY,
      })
    sample(image, 3, result.data)
    if (scaledMatte && resultMatte) sample(scaledMatte, 1, resultMatte.data)
  } else {
    const left = Math.round(toPicture.a * part.x + toPicture.tx)
    const top = Math.round(toPicture.a * part.y + toPicture.ty)
    copyInto(image, scaledWidth, scaledHeight, 3, result.data, width, height, left, top)
    if (scaledMatte && resultMatte) {
      copyInto(
        scaledMatte,
        scaledWidth,
        scaledHeight,
        1,
        resultMatte.data,
        width,
        height,
        left,
        top,
      )
    }
  }
  releaseMemory(image, scaledMatte)
  const corner = applySimilarity(toPicture, { x: 0, y: 0 })
  return {
    image: result,
    matte: resultMatte,
    coverage: {
      x: corner.x,
      y: corner.y,
      width: photo.width * scale,
      height: photo.height * scale,
    },
  }
}

/** The part of the photo that the picture can show, with room for the filter. */
function neededPart(
  photo: { width: number; height: number },
  toPicture: Similarity,
  width: number,
  height: number,
): Rect {
  const back = invertSimilarity(toPicture)
  const corners = [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: 0, y: height },
    { x: width, y: height },
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
  data: Uint8Array,
  size: { width: number; height: number },
  channels: 1 | 3,
  part: Rect,
  width: number,
  height: number,
): Promise<Uint8Array> {
  const whole = part.width === size.width && part.height === size.height
  const resizer = sharp(data, { raw: { width: size.width, height: size.height, channels } })
  if (!whole) {
    resizer.extract({ left: part.x, top: part.y, width: part.width, height: part.height })
  }
  if (width !== part.width || height !== part.height) {
    resizer.resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
  }
  return channels === 1 ? resizer.toColourspace('b-w').raw().toBuffer() : resizer.raw().toBuffer()
}

function copyInto(
  source: Uint8Array,
  sourceWidth: number,
  sourceHeight: number,
  channels: number,
  target: Uint8Array,
  width: number,
  height: number,
  left: number,
  top: number,
): void {
  const from = Math.max(0, -left)
  const to = Math.min(sourceWidth, width - left)
  if (to <= from) return
  for (let y = Math.max(0, -top); y < sourceHeight && y + top < height; y++) {
    const row = source.subarray(
      (y * sourceWidth + from) * channels,
      (y * sourceWidth + to) * channels,
    )
    target.set(row, ((y + top) * width + left + from) * channels)
  }
}

interface Affine {
  ax: number
  bx: number
  tx: number
  ay: number
  by: number
  ty: number
}

function sampleTurned(
  source: Uint8Array,
  sourceWidth: number,
  sourceHeight: number,
  channels: number,
  target: Uint8Array,
  width: number,
  height: number,
  map: Affine,
): void {
  for (let y = 0, out = 0; y < height; y++) {
    for (let x = 0; x < width; x++, out += channels) {
      const sx = map.ax * (x + 0.5) + map.bx * (y + 0.5) + map.tx - 0.5
      const sy = map.ay * (x + 0.5) + map.by * (y + 0.5) + map.ty - 0.5
      const x0 = Math.floor(sx)
      const y0 = Math.floor(sy)
      if (x0 < 0 || y0 < 0 || x0 >= sourceWidth - 1 || y0 >= sourceHeight - 1) continue
      const fx = sx - x0
      const fy = sy - y0
      const at = (y0 * sourceWidth + x0) * channels
      const below = at + sourceWidth * channels
      for (let c = 0; c < channels; c++) {
        const top = source[at + c]! * (1 - fx) + source[at + channels + c]! * fx
        const bottom = source[below + c]! * (1 - fx) + source[below + channels + c]! * fx
        target[out + c] = top * (1 - fy) + bottom * fy + 0.5
      }
    }
  }
}
