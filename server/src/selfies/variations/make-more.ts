import { variationsMax } from '@starside/contract/limits.ts'
import type { SelfieParts } from '../parts.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { OwnGenerationId } from '../own-generation.ts'
import { writeStored } from './lock-generation.ts'
import { openLayers } from './open-layers.ts'
import { finishing, withLayersErrors } from './render-variation.ts'
import { previewColumns, storePreviews } from './store-sheet.ts'
import { insertVariation } from './variation-queries.ts'

/**
 * Makes other variations of a picture, once: as many as are good and differ from those that there are,
 * which may be none. Costs no credit. Throws `more_variations_made` and what `openLayers` throws.
 */
export async function makeMore(parts: SelfieParts, own: OwnGenerationId): Promise<void> {
  const { layers, wereMoreMade } = await openLayers(parts, own)
  if (wereMoreMade) throw new AppError('more_variations_made')
  const known = await parts.database
    .selectFrom('variations')
    .select('arrangement')
    .where('generation_id', '=', own.generationId)
    .orderBy('position')
    .execute()
  const except = known.flatMap(({ arrangement }) => arrangement ?? [])
  const { variations } = await withLayersErrors(() =>
    parts.engine.moreVariations({ layers, except, variationsMax, ...finishing(parts, own) }),
  )
  const stored = await storePreviews(parts, own.generationId, variations)
  const keys = stored.flatMap(({ previews }) => Object.values(previews))
  await writeStored(parts, own, keys, async (transaction) => {
    const claimed = await transaction
      .updateTable('generation_layers')
      .set({ more_made_at: parts.clock() })
      .where('generation_id', '=', own.generationId)
      .where('more_made_at', 'is', null)
      .returning('generation_id')
      .executeTakeFirst()
    if (claimed === undefined) throw new AppError('more_variations_made')
    for (const { arrangement, previews, widthPx, heightPx } of stored) {
      await insertVariation(transaction, {
        generation_id: own.generationId,
        source: 'more',
        arrangement,
        ...previewColumns(previews),
        width_px: widthPx,
        height_px: heightPx,
        created_at: parts.clock(),
      })
    }
  })
}
