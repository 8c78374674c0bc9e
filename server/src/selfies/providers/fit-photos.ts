import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import type { SelfieParts } from '../parts.ts'
import type { ImageRequest } from '../../vendors/hosted-provider.ts'
import type { ModelLimits } from '../../vendors/models/limits-of.ts'

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
