import { errorTable, isErrorCode } from '@starside/contract/errors.ts'
import type { ErrorCode } from '@starside/contract/errors.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import type { VariationItem } from '@starside/contract/variations.ts'
import type { SelfieParts } from './parts.ts'
import { signPictureUrl } from './serve-picture.ts'
import type { PictureFile } from './serve-picture.ts'
import type { ShownGenerationRow } from './queries.ts'

/** A generation as its owner sees it, with fresh picture addresses. */
export function presentGeneration(
  context: Pick<SelfieParts, 'config' | 'keys' | 'clock' | 'images'>,
  row: ShownGenerationRow,
): GenerationItem {
  // The best one keeps the plain address. Another has its own, so that no browser shows a cached one.
  const chosen = row.variations?.find(({ isChosen, position }) => isChosen && position > 0)
  const sign = (file: PictureFile) =>
    row.state === 'done'
      ? signPictureUrl(context.keys.pictureUrls, {
          generationId: row.id,
          variationId: chosen?.id,
          file,
          now: context.clock(),
          isPremium: row.is_premium,
        })
      : null
  return {
    generationId: row.id,
    state: row.state,
    stage: row.stage,
    ...(row.state === 'running' ? { stagePercent: row.stage_percent } : {}),
    celebrity: row.celebrity,
    celebrities: row.star_names ?? [row.celebrity],
    presetId: row.preset_id,
    scene: row.scene ?? 'own',
    hasBackgroundPhoto: row.has_background_photo,
    isGreyAdvised: row.is_grey_advised,
    greyHints: row.grey_hints,
    imageUrl: sign('picture.jpg'),
    downloadUrl: sign('picture.png'),
    thumbnailUrl: sign('thumbnail.jpg'),
    widthPx: row.width_px,
    heightPx: row.height_px,
    watermarked: !row.is_premium,
    error: row.error_code === null ? null : errorTable[failureCode(row.error_code)].sentence,
    code: row.error_code,
    expectedMs: row.state === 'running' ? context.images.expectedMs(row) : null,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    shareUrl: row.share_id === null ? null : shareUrl(context.config.publicUrl, row),
    variations: row.state === 'done' ? presentVariations(context, row) : [],
    ...presentLayers(row, context.clock()),
  }
}

/** The public link of a shared picture: the landing page with the referral code in it. */
function shareUrl(publicUrl: string, row: ShownGenerationRow): string {
  const url = new URL('/', publicUrl)
  // Guests of events invite nobody.
  if (row.guest_of === null) url.searchParams.set('ref', row.referral_code)
  url.searchParams.set('selfie', row.share_id ?? '')
  return url.href
}

/** A stored failure; one that is no longer in the table counts as the general one. */
export function failureCode(stored: string | null): ErrorCode {
  return isErrorCode(stored) ? stored : 'generation_failed'
}

function presentVariations(
  { keys, clock }: Pick<SelfieParts, 'keys' | 'clock'>,
  { id: generationId, is_premium: isPremium, variations }: ShownGenerationRow,
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
