import type { Aspect, NormalisedPhoto } from '@starside/engine/image-provider.ts'
import type { SelfieParts } from '../parts.ts'
import type { ImageRequest, ModelLimits } from '../../vendors/hosted-provider.ts'

/** A request whose photos have the sizes that the model takes, with every head whole. */
export async function fitPhotos(
  engine: SelfieParts['engine'],
  limits: Pick<ModelLimits, 'photoPixelsMax' | 'photoSize'>,
  request: ImageRequest,
): Promise<ImageRequest> {
  const fit = (photo: NormalisedPhoto) => fitOne(engine, limits, photo, request.aspect)
  const { backgroundPhoto: place } = request
  const [userPhoto, starPhotos, backgroundPhoto] = await Promise.all([
    fit(request.userPhoto),
    Promise.all(request.starPhotos.map(fit)),
    place && fit(place),
  ])
  return { ...request, userPhoto, starPhotos, backgroundPhoto }
}

async function fitOne(
  engine: SelfieParts['engine'],
  { photoPixelsMax: pixelsMax, photoSize }: Pick<ModelLimits, 'photoPixelsMax' | 'photoSize'>,
  photo: NormalisedPhoto,
  aspect: Aspect,
): Promise<NormalisedPhoto> {
  const size = photoSize(aspect)
  if (size !== undefined) {
    const { faces } = await engine.inspect({ photo })
    return await engine.fitPhoto({ photo, size, faces, pixelsMax })
  }
  const isSmall = pixelsMax === undefined || photo.widthPx * photo.heightPx <= pixelsMax
  return isSmall ? photo : await engine.fitPhoto({ photo, pixelsMax })
}
