import sharp from 'sharp'
import type { Metadata, Sharp } from 'sharp'
import { createCallQueue } from '../call-queue.ts'
import { takesTooManyScans } from './count-scans.ts'
import type { NormalisedPhoto } from '../image-provider.ts'
import { releaseMemory } from '../release-memory.ts'
import { isPersonMatte } from './matte-shape.ts'
import { PhotoError } from './photo-error.ts'
import { sniffFormat } from './sniff-format.ts'

/** Bytes of one upload at most. */
export const uploadBytesMax = 15 * 1024 * 1024
/** Pixels of one upload at most, as its header states them. */
export const uploadPixelsMax = 50_000_000
/** Of an AVIF: its decoder takes over ten times as long as any other for as many pixels. */
const avifPixelsMax = 16_000_000
/** Pixels a side at least, before and after the long side is bounded. */
export const photoSidePxMin = 256
/** Pixels of a normalised photo's long side at most. */
export const photoSidePxMax = 2048

/** A photo that takes longer to decode was made to take long. */
const decodeTimeLimitSeconds = 30
/** Decodes progressive JPEGs one by one: coefficients take 2 bytes for each pixel and channel. */
const progressives = createCallQueue(1)
/** Of more pixels the coefficients take more than 18 MB. */
const muchPixels = 6_000_000
/** Huffman tables of its own would make a file 2 to 20 % smaller for three times the work. */
const jpegSettings = { quality: 92, chromaSubsampling: '4:4:4', optimiseCoding: false }
/** What transparent photos are laid on: a light grey, as pure white looks burnt out in a scene. */
export const flattenColour = { r: 244, g: 244, b: 244 }

/** A part of an upright photo, in fractions (0 to 1) of its width and height. */
export interface PhotoPart {
  left: number
  top: number
  width: number
  height: number
}

/**
 * Decodes an untrusted upload and makes it upright, sRGB, 8-bit, bare of all metadata and at most
 * 2048 pixels on its long side. Always re-encodes, so that nothing hidden in the file gets on.
 * The size in pixels is refused from the header, before anything is decoded.
 * @param upload the file's bytes, of any origin
 * @param options.part what to make of it instead of the whole, in the upload's own resolution
 * @param options.signal aborting rejects with its reason; a decode under way ends by itself
 * @param options.beforeMuchMemory called before a decode that takes tens of megabytes
 * @throws PhotoError photo_empty, photo_too_large, photo_format, photo_damaged,
 *   photo_too_many_pixels, photo_too_small
 */
export async function normalisePhoto(
  upload: Uint8Array,
  options: {
    part?: PhotoPart | undefined
    signal?: AbortSignal | undefined
    beforeMuchMemory?: (() => void) | undefined
  } = {},
): Promise<NormalisedPhoto> {
  const header = await checkHeader(upload, options)
  const { isProgressive, width, height } = header
  const make = async (): Promise<NormalisedPhoto> => {
    if (isProgressive && width * height > muchPixels) options.beforeMuchMemory?.()
    if (options.part) return await reencode(await cutPart(upload, header, options.part), options)
    const photo = await (header.hasAlpha ? flatten(upload, options) : reencode(upload, options))
    const longSidePx = Math.max(width, height)
    return longSidePx > photoSidePxMax ? { ...photo, shrunkBy: longSidePx / photoSidePxMax } : photo
  }
  return isProgressive ? await progressives.run(make, options.signal) : await make()
}

/** Lays a photo with transparency on grey, unless that is a matte to be kept. */
async function flatten(
  upload: Uint8Array,
  options: { signal?: AbortSignal | undefined },
): Promise<NormalisedPhoto> {
  const decoded = await decodeUpload(upload, options)
  const photo = await encode(decoded)
  releaseMemory(decoded.pixels)
  return photo
}

/** A part as it lies in the file, with EXIF orientation, as turning the whole takes its memory. */
async function cutPart(
  upload: Uint8Array,
  { width, height, orientation = 1 }: Metadata,
  part: PhotoPart,
): Promise<Uint8Array> {
  const stored = asStored(part, orientation)
  const left = Math.floor(stored.left * width)
  const top = Math.floor(stored.top * height)
  const region = {
    left,
    top,
    width: Math.min(width - left, Math.ceil(stored.width * width)),
    height: Math.min(height - top, Math.ceil(stored.height * height)),
  }
  try {
    return await open(upload)
      .extract(region)
      .resize(photoSidePxMax, photoSidePxMax, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: flattenColour })
      .keepExif()
      .png({ compressionLevel: 0 })
      .toBuffer()
  } catch (error) {
    throw new PhotoError('photo_damaged', undefined, { cause: error })
  }
}

/** Where a part of an upright photo lies in its file, which may hold it turned and mirrored (EXIF 1…8). */
function asStored(part: PhotoPart, orientation: number): PhotoPart {
  const isTurned = orientation >= 5
  const { left, top, width, height } = isTurned
    ? { left: part.top, top: part.left, width: part.height, height: part.width }
    : part
  const isMirrored = [2, 3, 7, 8].includes(orientation)
  const isUpsideDown = [3, 4, 6, 7].includes(orientation)
  return {
    left: isMirrored ? 1 - left - width : left,
    top: isUpsideDown ? 1 - top - height : top,
    width,
    height,
  }
}

/**
 * The pixels of an untrusted upload: upright, 8-bit sRGB, at most 2048 pixels on the long side.
 * Refuses what `normalisePhoto` refuses.
 * @param options.sidePxMin pixels a side at least
 */
export async function decodeUpload(
  upload: Uint8Array,
  options: { signal?: AbortSignal | undefined; sidePxMin?: number } = {},
): Promise<DecodedPhoto> {
  const { hasAlpha } = await checkHeader(upload, options)
  const decoded = await decode(upload, hasAlpha)
  options.signal?.throwIfAborted()
  return decoded
}

/** Reads the header and refuses what is unusable by it, before anything is decoded. */
async function checkHeader(
  upload: Uint8Array,
  options: { signal?: AbortSignal | undefined; sidePxMin?: number },
): Promise<Metadata> {
  const { signal, sidePxMin = photoSidePxMin } = options
  signal?.throwIfAborted()
  if (upload.length === 0) throw new PhotoError('photo_empty')
  if (upload.length > uploadBytesMax) throw new PhotoError('photo_too_large')
  if (sniffFormat(upload) === undefined) throw new PhotoError('photo_format')
  const header = await readHeader(upload)
  checkSize(header, sidePxMin)
  signal?.throwIfAborted()
  return header
}

/** Upright pixels: interleaved 8-bit sRGB with three channels, or four with straight alpha. */
export interface DecodedPhoto {
  pixels: Uint8Array
  widthPx: number
  heightPx: number
  channels: 3 | 4
}

async function readHeader(upload: Uint8Array): Promise<Metadata> {
  let header: Metadata
  try {
    // Only the header is read here; the pixel limit is checked by hand, so that it has its own
    // code.
    header = await sharp(upload, { limitInputPixels: false }).metadata()
  } catch (error) {
    throw new PhotoError('photo_damaged', undefined, { cause: error })
  }
  if (takesTooManyScans(upload, header)) throw new PhotoError('photo_damaged')
  if (header.format === 'heif' && header.compression !== 'av1') throw new PhotoError('photo_format')
  return header
}

function checkSize({ width, height, format }: Metadata, sidePxMin: number): void {
  const pixelsMax = format === 'heif' ? avifPixelsMax : uploadPixelsMax
  if (width * height > pixelsMax) throw new PhotoError('photo_too_many_pixels')
  const short = Math.min(width, height)
  const scale = Math.min(1, photoSidePxMax / Math.max(width, height))
  if (Math.round(short * scale) < sidePxMin) throw new PhotoError('photo_too_small')
}

function open(upload: Uint8Array): Sharp {
  return sharp(upload, {
    limitInputPixels: uploadPixelsMax,
    // 'warning' would refuse what phones write with harmless oddities.
    failOn: 'error',
    sequentialRead: true,
  }).timeout({ seconds: decodeTimeLimitSeconds })
}

function upright(upload: Uint8Array): Sharp {
  return open(upload)
    .autoOrient()
    .resize(photoSidePxMax, photoSidePxMax, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
}

async function decode(upload: Uint8Array, hasAlpha: boolean): Promise<DecodedPhoto> {
  try {
    const { data, info } = await withChannels(upright(upload), hasAlpha)
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const channels = info.channels === 4 ? 4 : 3
    return { pixels: data, widthPx: info.width, heightPx: info.height, channels }
  } catch (error) {
    throw new PhotoError('photo_damaged', undefined, { cause: error })
  }
}

/** From file to file strip by strip, so that the pixels never stand in memory as a whole. */
async function reencode(
  upload: Uint8Array,
  { signal }: { signal?: AbortSignal | undefined },
): Promise<NormalisedPhoto> {
  try {
    const { data, info } = await upright(upload)
      .removeAlpha()
      .jpeg(jpegSettings)
      .toBuffer({ resolveWithObject: true })
    signal?.throwIfAborted()
    const { width: widthPx, height: heightPx } = info
    return { bytes: data, mediaType: 'image/jpeg', widthPx, heightPx, hasMatte: false }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw new PhotoError('photo_damaged', undefined, { cause: error })
  }
}

function withChannels(picture: Sharp, hasAlpha: boolean): Sharp {
  return hasAlpha ? picture.ensureAlpha() : picture.removeAlpha()
}

async function encode(decoded: DecodedPhoto): Promise<NormalisedPhoto> {
  const { pixels, widthPx, heightPx, channels } = decoded
  const picture = sharp(pixels, { raw: { width: widthPx, height: heightPx, channels } })
  if (channels === 4 && (await carriesMatte(picture, widthPx, heightPx))) {
    const bytes = await picture.png({ compressionLevel: 3 }).toBuffer()
    return { bytes, mediaType: 'image/png', widthPx, heightPx, hasMatte: true }
  }
  const bytes = await picture.flatten({ background: flattenColour }).jpeg(jpegSettings).toBuffer()
  return { bytes, mediaType: 'image/jpeg', widthPx, heightPx, hasMatte: false }
}

async function carriesMatte(picture: Sharp, widthPx: number, heightPx: number): Promise<boolean> {
  const scale = Math.min(1, 256 / Math.max(widthPx, heightPx))
  const { data, info } = await picture
    .clone()
    .extractChannel(3)
    .resize(Math.round(widthPx * scale), Math.round(heightPx * scale), { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return isPersonMatte(data, info.width, info.height)
}
