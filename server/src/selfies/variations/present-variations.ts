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
  return (variations ?? []).map((shown) => {
    const {
      id: variationId,
      source,
      arrangement,
      look,
      isChosen,
      isRendered,
      widthPx,
      heightPx,
    } = shown
    const sign = (file: PictureFile) =>
      signPictureUrl(keys.pictureUrls, { generationId, variationId, file, now, isPremium })
    return {
      variationId,
      source,
      arrangement,
      look,
      isChosen,
      isRendered,
      imageUrl: sign(isRendered ? 'picture.jpg' : 'preview.jpg'),
      thumbnailUrl: sign(isRendered ? 'thumbnail.jpg' : 'preview.jpg'),
      downloadUrl: isRendered ? sign('picture.png') : null,
      widthPx,
      heightPx,
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
