import type { GenerationItem } from '@starside/contract/generation.ts'
import type { VariationItem } from '@starside/contract/variations.ts'
import type { SelfieParts } from '../parts.ts'
import { signPictureUrl } from '../picture-urls.ts'
import type { PictureFile } from '../picture-urls.ts'
import type { ShownGenerationRow } from '../queries.ts'

/** A finished generation's variations as its owner sees them, with fresh picture addresses. */
export function presentVariations(
  { keys, clock }: Pick<SelfieParts, 'keys' | 'clock'>,
  {
    id: generationId,
    is_premium: isPremium,
    variations,
  }: Pick<ShownGenerationRow, 'id' | 'is_premium' | 'variations'>,
): VariationItem[] {
  const now = clock()
  return (variations ?? []).map(({ id: variationId, position: _position, ...shown }) => {
    const { isRendered } = shown
    const sign = (file: PictureFile) =>
      signPictureUrl(keys.pictureUrls, { generationId, variationId, file, now, isPremium })
    return {
      variationId,
      ...shown,
      imageUrl: sign(isRendered ? 'picture.jpg' : 'preview.jpg'),
      thumbnailUrl: sign(isRendered ? 'thumbnail.jpg' : 'preview.jpg'),
      downloadUrl: isRendered ? sign('picture.png') : null,
    }
  })
}

/** Whether and until when a picture can be adjusted. */
export function presentLayers(
  { layers }: Pick<ShownGenerationRow, 'layers'>,
  now: Date,
): Pick<GenerationItem, 'adjustableUntil' | 'hasMoreVariations'> {
  const isKept = layers !== null && layers.expiresAt > now.getTime()
  return {
    adjustableUntil: isKept ? new Date(layers.expiresAt).toISOString() : null,
    hasMoreVariations: isKept && !layers.wereMoreMade,
  }
}
