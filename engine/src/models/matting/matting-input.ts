import sharp from 'sharp'
import type { MattingCard } from './matting-card.ts'

/** A photo as a matting network takes it. */
export interface MattingInput {
  /** Channels first, one row after the other. */
  values: Float32Array
  width: number
  height: number
}

/** No network gets a longer side than this, however narrow the photo is. */
const longSidePxMax = 2048

/** The network's input of an upright JPEG or PNG. */
export async function makeMattingInput(
  picture: Uint8Array,
  { size, mean, deviation, channels }: MattingCard['input'],
): Promise<MattingInput> {
  const photo = sharp(picture, { limitInputPixels: 2048 * 2048 })
  const { width: photoWidth, height: photoHeight } = await photo.metadata()
  const { width, height } = inputSize(size, photoWidth, photoHeight)
  const pixels = await photo
    .resize(width, height, { fit: 'fill' })
    .flatten()
    .toColourspace('srgb')
    .raw()
    .toBuffer()
  const plane = width * height
  const values = new Float32Array(plane * 3)
  for (let channel = 0; channel < 3; channel++) {
    const from = channels === 'rgb' ? channel : 2 - channel
    const start = channel * plane
    for (let i = 0; i < plane; i++) {
      values[start + i] = (pixels[i * 3 + from]! / 255 - mean[channel]!) / deviation[channel]!
    }
  }
  return { values, width, height }
}

function inputSize(
  size: MattingCard['input']['size'],
  photoWidth: number,
  photoHeight: number,
): { width: number; height: number } {
  if ('width' in size) return size
  const { shortSide, multipleOf } = size
  const scale = Math.min(
    shortSide / Math.min(photoWidth, photoHeight),
    longSidePxMax / Math.max(photoWidth, photoHeight),
  )
  const round = (side: number): number =>
    Math.max(1, Math.round((side * scale) / multipleOf)) * multipleOf
  return { width: round(photoWidth), height: round(photoHeight) }
}
