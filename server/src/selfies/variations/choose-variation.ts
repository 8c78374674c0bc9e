import type { SelfieParts } from '../parts.ts'
import { isUuid } from '../../platform/db/uuid.ts'
import { updateRows } from '../../platform/db/rows.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { OwnGenerationId, OwnedGenerationRow } from '../queries.ts'
import { findPicture } from '../queries.ts'
import { showAs } from './add-variation.ts'
import { writeStored } from '../own-generation.ts'
import { openLayers } from './layers.ts'
import { developVariation, renderVariation } from './render-variation.ts'
import type { PictureColumns } from './store-sheet.ts'
import { findUndeveloped, findVariation, variationKeys } from './variation-queries.ts'
import type { VariationRow } from './variation-queries.ts'

/**
 * Shows a generation as one of its variations, made at full size first if need be: from layers, a picture that
 * differs in its look, or its small one. Throws `generation_unknown`, `variation_unknown`, and as `renderVariation`.
 */
export async function chooseVariation(
  parts: SelfieParts,
  own: OwnGenerationId,
  variationId: string,
): Promise<void> {
  const row = await findPicture(parts.database, own.generationId)
  if (row === undefined || row.user_id !== own.userId) throw new AppError('generation_unknown')
  const variation = await findOwnVariation(parts, own, variationId)
  const known = renderedOf(variation)
  const rendered = known ?? (await makeFullSize(parts, own, { row, variation }))
  const written = known === undefined ? variationKeys(rendered) : []
  try {
    await writeStored(parts, own, written, async (transaction) => {
      const updated = await updateRows(transaction, 'variations', {
        // Another press may have been first: what it stored is kept.
        match: { id: variationId, deleted_at: null, clean_key: known?.clean_key ?? null },
        set: rendered,
      })
      if (updated.length === 0) throw new AppError('variation_unknown')
      await showAs(transaction, own, rendered)
    })
  } catch (error) {
    if (known !== undefined || !(error instanceof AppError)) throw error
    // Another press has made it, and this one only shows it; or it was deleted, which is found again.
    await chooseVariation(parts, own, variationId)
  }
}

/** Throws `variation_unknown`. */
export async function findOwnVariation(
  { database }: Pick<SelfieParts, 'database'>,
  { generationId }: OwnGenerationId,
  variationId: string,
): Promise<VariationRow> {
  const variation = isUuid(variationId)
    ? await findVariation(database, { generationId, variationId })
    : undefined
  if (variation === undefined) throw new AppError('variation_unknown')
  return variation
}

/** Undefined for a variation of which there is a small picture only. */
export function renderedOf(variation: VariationRow): PictureColumns | undefined {
  const { clean_key, watermarked_key, clean_thumbnail_key, watermarked_thumbnail_key } = variation
  // All of them or none, by a constraint.
  const hasSmall = clean_thumbnail_key !== null && watermarked_thumbnail_key !== null
  if (clean_key === null || watermarked_key === null || !hasSmall) return undefined
  const keys = { clean_key, watermarked_key, clean_thumbnail_key, watermarked_thumbnail_key }
  const { width_px, height_px, picture_hash } = variation
  return { ...keys, width_px, height_px, picture_hash }
}

/** Layers that are no longer kept, or were stored by another version. */
const layersGone: readonly string[] = ['layers_expired', 'layers_unreadable']

async function makeFullSize(
  parts: SelfieParts,
  own: OwnGenerationId,
  { row, variation }: { row: OwnedGenerationRow; variation: VariationRow },
): Promise<PictureColumns> {
  const { arrangement } = variation
  try {
    if (arrangement !== null) {
      const opened = await openLayers(parts, own)
      return await renderVariation(parts, own, { ...opened, arrangement })
    }
  } catch (error) {
    if (!(error instanceof AppError) || !layersGone.includes(error.code)) throw error
  }
  const read = async (key: string | null | undefined) =>
    key === null || key === undefined ? undefined : await parts.store.get(key)
  const made = { provider: row.provider ?? 'compositor', model: row.model ?? '' }
  const large = await read(await findUndeveloped(parts.database, variation))
  if (large !== undefined) {
    const look = variation.look ?? arrangement?.look ?? 'natural'
    return await developVariation(parts, own, { bytes: large, look, ...made })
  }
  const small = await read(variation.clean_preview_key)
  if (small === undefined) throw new AppError('variation_unknown')
  // As it is: it is developed already.
  return await developVariation(parts, own, { bytes: small, look: 'natural', ...made })
}
