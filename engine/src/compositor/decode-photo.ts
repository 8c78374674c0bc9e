import sharp from 'sharp'
import type { NormalisedPhoto } from '../image-provider.ts'
import { releaseMemory } from '../release-memory.ts'
import type { BytePlane, RgbImage } from '../image/raster.ts'

/** A decoded photo; `matte` is its alpha where that is a matte to be used as it is. */
export interface DecodedPhoto {
  image: RgbImage
  matte: BytePlane | undefined
}

/** Decodes a normalised photo, rotated clockwise by 90° steps; straight alpha keeps its colours. */
export async function decodePhoto(photo: NormalisedPhoto, quarterTurns = 0): Promise<DecodedPhoto> {
  const decoder = sharp(photo.bytes, { limitInputPixels: 2048 * 2048, failOn: 'error' })
  if (quarterTurns % 4 !== 0) decoder.rotate(quarterTurns * 90)
  const { data, info } = await decoder
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return splitChannels(data, info.width, info.height, info.channels, photo.hasMatte)
}

function splitChannels(
  data: Uint8Array,
  width: number,
  height: number,
  channels: number,
  hasMatte: boolean,
): DecodedPhoto {
  const size = width * height
  if (channels === 3) return { image: { data, width, height }, matte: undefined }
  const rgb = new Uint8Array(size * 3)
  const alpha = channels === 4 || channels === 2 ? new Uint8Array(size) : undefined
  const grey = channels < 3
  for (let i = 0, from = 0, to = 0; i < size; i++, from += channels, to += 3) {
    rgb[to] = data[from]!
    rgb[to + 1] = data[grey ? from : from + 1]!
    rgb[to + 2] = data[grey ? from : from + 2]!
    if (alpha) alpha[i] = data[from + channels - 1]!
  }
  releaseMemory(data)
  const matte = hasMatte && alpha ? { data: alpha, width, height } : undefined
  return { image: { data: rgb, width, height }, matte }
}
