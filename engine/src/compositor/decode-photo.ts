import sharp from 'sharp'
import type { NormalisedPhoto } from '../image-provider.ts'
import { kernels, openArena } from '../image/kernels.ts'
import { createBytePlane, createRgb } from '../image/raster.ts'
import type { BytePlane, RgbImage } from '../image/raster.ts'
import { releaseMemory } from '../release-memory.ts'

/** A decoded photo; `matte` is its alpha where that is a matte to be used as it is. */
export interface DecodedPhoto {
  image: RgbImage
  matte: BytePlane | undefined
}

/** Decodes a normalised photo, rotated clockwise by 90° steps; straight alpha keeps its colours. */
export async function decodePhoto(photo: NormalisedPhoto, quarterTurns = 0): Promise<DecodedPhoto> {
  const decoder = sharp(photo.bytes, { limitInputPixels: 2048 * 2048, failOn: 'error' })
  if (quarterTurns % 4 !== 0) decoder.rotate(quarterTurns * 90)
  const { data, info } = await (photo.hasMatte ? decoder.ensureAlpha() : decoder.removeAlpha())
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  if (!photo.hasMatte) return { image: { data, width, height }, matte: undefined }
  const decoded = { image: createRgb(width, height), matte: createBytePlane(width, height) }
  partAlpha(data, decoded)
  releaseMemory(data)
  return decoded
}

/** Pixels that are parted at once; all of them would need much memory a second time. */
const pixelsAtOnce = 65_536

function partAlpha(
  data: Uint8Array,
  { image, matte }: { image: RgbImage; matte: BytePlane },
): void {
  const arena = openArena()
  const source = arena.allocate(pixelsAtOnce * 4)
  const colours = arena.allocate(pixelsAtOnce * 3)
  const alphas = arena.allocate(pixelsAtOnce)
  for (let at = 0; at < matte.data.length; at += pixelsAtOnce) {
    const count = Math.min(pixelsAtOnce, matte.data.length - at)
    arena.bytes(source, count * 4).set(data.subarray(at * 4, (at + count) * 4))
    kernels.splitAlpha(source, colours, alphas, count)
    image.data.set(arena.bytes(colours, count * 3), at * 3)
    matte.data.set(arena.bytes(alphas, count), at)
  }
}
