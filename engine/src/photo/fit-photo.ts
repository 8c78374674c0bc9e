import sharp from 'sharp'
import type { Sharp } from 'sharp'
import type { NormalisedPhoto } from '../image-provider.ts'
import type { InspectedFace } from './inspection.ts'
import { flattenColour, photoSidePxMax } from './normalise.ts'
import { planFit } from './plan-fit.ts'
import type { FitWindow } from './plan-fit.ts'

export interface PhotoFit {
  photo: NormalisedPhoto
  /** Exactly this size, with every head whole; the edge's pixels fill what the photo lacks. */
  size?: { widthPx: number; heightPx: number } | undefined
  /** The faces of the photo; needed for a size. */
  faces?: readonly InspectedFace[] | undefined
  /** Pixels at most; a larger photo is made smaller. */
  pixelsMax?: number | undefined
}

const decodeOptions = { limitInputPixels: photoSidePxMax ** 2 }
const jpegSettings = { quality: 92, chromaSubsampling: '4:4:4' }

/** A photo in a model's size, as a JPEG, so that servers that cut photos find nothing to cut. */
export async function fitPhoto({
  photo,
  size,
  faces = [],
  pixelsMax,
}: PhotoFit): Promise<NormalisedPhoto> {
  const whole = sharp(photo.bytes, decodeOptions).flatten({ background: flattenColour })
  if (size === undefined) {
    const shrink = Math.min(1, Math.sqrt((pixelsMax ?? Infinity) / pixelsOf(photo)))
    return await encode(whole.resize({ width: Math.floor(photo.widthPx * shrink) }))
  }
  const window = await cut(whole, photo, planFit(photo, faces, size))
  const bound = Math.min(1, Math.sqrt((pixelsMax ?? Infinity) / pixelsOf(size)))
  return await encode(
    window.resize({
      width: Math.floor(size.widthPx * bound),
      height: Math.floor(size.heightPx * bound),
      fit: 'fill',
    }),
  )
}

/** The window's pixels; what lies beyond the photo repeats its edge. */
async function cut(
  whole: Sharp,
  { widthPx, heightPx }: NormalisedPhoto,
  window: FitWindow,
): Promise<Sharp> {
  const left = Math.round(window.left)
  const top = Math.round(window.top)
  const right = Math.round(window.left + window.width)
  const bottom = Math.round(window.top + window.height)
  const inside = { left: Math.max(0, left), top: Math.max(0, top) }
  const { data, info } = await whole
    .extract({
      ...inside,
      width: Math.min(widthPx, right) - inside.left,
      height: Math.min(heightPx, bottom) - inside.top,
    })
    .extend({
      left: Math.max(0, -left),
      top: Math.max(0, -top),
      right: Math.max(0, right - widthPx),
      bottom: Math.max(0, bottom - heightPx),
      extendWith: 'copy',
    })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return sharp(data, { raw: { width, height, channels } })
}

async function encode(picture: Sharp): Promise<NormalisedPhoto> {
  const { data, info } = await picture.jpeg(jpegSettings).toBuffer({ resolveWithObject: true })
  return {
    bytes: data,
    mediaType: 'image/jpeg',
    widthPx: info.width,
    heightPx: info.height,
    hasMatte: false,
  }
}

function pixelsOf({ widthPx, heightPx }: { widthPx: number; heightPx: number }): number {
  return widthPx * heightPx
}
