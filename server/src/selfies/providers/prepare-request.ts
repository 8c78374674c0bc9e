import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import type { HostedProvider, ImageRequest } from '../../vendors/hosted-provider.ts'
import { buildPrompt } from '../../vendors/prompt/build-prompt.ts'
import type { SelfieParts } from '../parts.ts'
import { pictureCountOf } from '../../vendors/models/model-description.ts'
import type { ModelLimits } from '../../vendors/models/model-description.ts'
import { starsOf, userFacesOf } from '../queries.ts'
import type { GenerationRow } from '../queries.ts'
import { readInput } from '../inputs.ts'

/** What a provider gets: photos, stars' uncut (cut-outs come back with hard edges), prompt. */
export async function prepareRequest(
  parts: SelfieParts,
  row: GenerationRow,
  provider: HostedProvider,
): Promise<ImageRequest> {
  const userPhoto = await readInput(parts, row.user_photo_key)
  const stars = await Promise.all(starsOf(row).map((star) => readStar(parts, star)))
  const userFaces = userFacesOf(row)
  const hasBackgroundPhoto = row.has_background_photo
  const prompt = buildPrompt({
    scene: row.scene ?? undefined,
    words: row.prompt ?? undefined,
    userPlace: await placeOf(parts, userPhoto, userFaces),
    userCount: userFaces?.length,
    starPlace: stars[0]?.place,
    secondStar: stars[1],
    hasBackgroundPhoto,
    lengthMax: provider.promptLengthMax,
  })
  return await fitPhotos(parts.engine, provider, {
    prompt,
    userPhoto,
    starPhotos: stars.map(({ photo }) => photo),
    backgroundPhoto: hasBackgroundPhoto
      ? await readInput(parts, row.background_photo_key)
      : undefined,
    aspect: row.aspect,
    count: pictureCountOf(provider, parts.images.settings),
  })
}

/** The photo of one star, and where in it they are. */
async function readStar(
  parts: SelfieParts,
  { presetId, photoKey, faceIndex }: ReturnType<typeof starsOf>[number],
): Promise<{ photo: NormalisedPhoto; place: string | undefined }> {
  if (presetId !== null && parts.presets.find(presetId) !== undefined) {
    return { photo: await parts.presets.readPortrait(presetId), place: undefined }
  }
  const photo = await readInput(parts, photoKey)
  return { photo, place: await placeOf(parts, photo, faceIndex === null ? undefined : [faceIndex]) }
}

/** Says in words which of several people are meant; undefined where there is nothing to choose. */
async function placeOf(
  parts: SelfieParts,
  photo: NormalisedPhoto,
  faceIndexes: readonly number[] | undefined,
): Promise<string | undefined> {
  if (faceIndexes === undefined) return undefined
  const { faces } = await parts.engine.inspect({ photo })
  if (faces.length < 2) return undefined
  const ranks = faceIndexes.flatMap((index) => {
    const face = faces[index]
    return face === undefined ? [] : [faces.filter(({ x }) => x < face.x).length + 1]
  })
  if (ranks.length === 0) return undefined
  const who = ranks.length === 1 ? 'person number' : 'people number'
  const numbers = ranks.toSorted((one, other) => one - other).join(' and ')
  return `${who} ${numbers} of ${faces.length} from the left`
}

/** A request whose photos have the sizes that the model takes, with every head whole. */
export async function fitPhotos(
  engine: SelfieParts['engine'],
  limits: Pick<ModelLimits, 'photoPixelsMax' | 'photoSize'>,
  request: ImageRequest,
): Promise<ImageRequest> {
  const { photoPixelsMax: pixelsMax } = limits
  const size = limits.photoSize(request.aspect)
  const fit = async (photo: NormalisedPhoto) => {
    if (size !== undefined) {
      const { faces } = await engine.inspect({ photo })
      return await engine.fitPhoto({ photo, size, faces, pixelsMax })
    }
    const isSmall = pixelsMax === undefined || photo.widthPx * photo.heightPx <= pixelsMax
    return isSmall ? photo : await engine.fitPhoto({ photo, pixelsMax })
  }
  const { backgroundPhoto: place } = request
  const [userPhoto, starPhotos, backgroundPhoto] = await Promise.all([
    fit(request.userPhoto),
    Promise.all(request.starPhotos.map(fit)),
    place && fit(place),
  ])
  return { ...request, userPhoto, starPhotos, backgroundPhoto }
}
