import sharp from 'sharp'
import type { Sharp } from 'sharp'
import type { Compositor } from '../compositor/compositor.ts'
import type { NormalisedPhoto } from '../image-provider.ts'
import { PhotoError } from '../photo/photo-error.ts'
import type { InspectedFace } from '../photo/inspection.ts'

/** The pictures of one person who is offered to everybody: what people see, small and large. */
export interface PersonFiles {
  /** The whole photo, JPEG. */
  picture: Uint8Array
  /** Head and shoulders, 4:5, 320 pixels wide. */
  thumbnailAvif: Uint8Array
  /** The same for browsers without AVIF, 200 pixels wide. */
  thumbnailJpeg: Uint8Array
}

/** The pictures of a star. */
export interface PresetFiles extends PersonFiles {
  /** The person alone, AVIF with straight alpha, in the picture's size. */
  cutout: Uint8Array
  /** The cut-out on a checkerboard, to look at; PNG. */
  preview: Uint8Array
}

const pictureSettings = { quality: 70, mozjpeg: true } as const
const cutoutSettings = { quality: 50, effort: 4, chromaSubsampling: '4:4:4' } as const
const thumbnailRatio = 5 / 4
/** Height of the thumbnail in heights of the face's box. */
const thumbnailFaces = 2.5

/** A person's files from a normalised frontal JPEG; throws PhotoError if no selfie can be made. */
export async function makePersonFiles(
  compositor: Pick<Compositor, 'inspect'>,
  photo: NormalisedPhoto,
): Promise<PersonFiles> {
  const { faces, refusals } = await compositor.inspect(photo)
  if (refusals[0] !== undefined) throw new PhotoError(refusals[0])
  const face = faces[0]
  if (face === undefined) throw new PhotoError('face_missing')
  const small = sharp(photo.bytes).extract(thumbnailCrop(photo, face))
  const [picture, thumbnailAvif, thumbnailJpeg] = await Promise.all([
    sharp(photo.bytes).jpeg(pictureSettings).toBuffer(),
    small.clone().resize(320, 400).avif({ quality: 52, effort: 4 }).toBuffer(),
    small.clone().resize(200, 250).jpeg({ quality: 68, mozjpeg: true }).toBuffer(),
  ])
  return { picture, thumbnailAvif, thumbnailJpeg }
}

/**
 * Makes the files of one star from a photo.
 * @param photo a normalised JPEG of one person from the front
 * @param given a cut-out that was made by hand, a picture with a transparent background
 * @throws PhotoError where a selfie couldn't be made of it
 */
export async function makePresetFiles(
  compositor: Pick<Compositor, 'inspect' | 'cutOut'>,
  photo: NormalisedPhoto,
  given?: NormalisedPhoto,
): Promise<PresetFiles> {
  const files = await makePersonFiles(compositor, photo)
  const cutout =
    given === undefined
      ? await cutOutPerson(compositor, photo)
      : await encodeCutout(sharp(given.bytes))
  return { ...files, cutout, preview: await onCheckerboard(cutout) }
}

/** A person as AVIF with straight alpha, in the photo's size; throws PhotoError as the others. */
async function cutOutPerson(
  compositor: Pick<Compositor, 'cutOut'>,
  photo: NormalisedPhoto,
): Promise<Uint8Array> {
  const { image, alpha } = await compositor.cutOut(photo)
  const { width, height } = image
  // The encoder takes no memory that threads share.
  const colours = sharp(image.data.slice(), { raw: { width, height, channels: 3 } })
  const matte = { raw: { width, height, channels: 1 as const } }
  return await encodeCutout(colours.joinChannel(Buffer.from(alpha.data), matte))
}

async function encodeCutout(picture: Sharp): Promise<Uint8Array> {
  return await picture.avif(cutoutSettings).toBuffer()
}

/** A 4:5 part of the photo about the face, as far as the photo reaches. */
function thumbnailCrop(
  { widthPx, heightPx }: NormalisedPhoto,
  face: InspectedFace,
): { left: number; top: number; width: number; height: number } {
  const wanted = face.height * heightPx * thumbnailFaces
  const height = Math.floor(Math.min(wanted, heightPx, widthPx * thumbnailRatio))
  const width = Math.floor(height / thumbnailRatio)
  const centreX = (face.x + face.width / 2) * widthPx
  const centreY = (face.y + face.height / 2) * heightPx
  const within = (start: number, end: number) => Math.round(Math.max(0, Math.min(end, start)))
  return {
    left: within(centreX - width / 2, widthPx - width),
    top: within(centreY - height * 0.42, heightPx - height),
    width,
    height,
  }
}

const checkSidePx = 16

/** Grey and magenta squares: light and dark rims are both seen on them. */
async function onCheckerboard(cutout: Uint8Array): Promise<Uint8Array> {
  const { width, height } = await sharp(cutout).metadata()
  const side = checkSidePx
  const square = (x: number, y: number) =>
    `<rect x="${x}" y="${y}" width="${side}" height="${side}" fill="#c03090"/>`
  const tile = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${2 * side}" height="${2 * side}">` +
      `<rect width="100%" height="100%" fill="#b0b0b0"/>${square(0, 0)}${square(side, side)}</svg>`,
  )
  return await sharp({ create: { width, height, channels: 3, background: '#b0b0b0' } })
    .composite([{ input: tile, tile: true }, { input: Buffer.from(cutout) }])
    .png()
    .toBuffer()
}
