import { variationsMax } from '@starside/contract/limits.ts'
import type { SelfieParts } from '../parts.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { OwnGenerationId } from '../own-generation.ts'
import { writeStored } from './lock-generation.ts'
import { openLayers } from './open-layers.ts'
import { finishing, withLayersErrors } from './render-variation.ts'
import { storePreviews } from './store-sheet.ts'
import { insertVariation, variationKeys } from './variation-queries.ts'

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
  const input = { layers, except, variationsMax, ...(await finishing(parts, own)) }
  const { variations } = await withLayersErrors(() => parts.engine.moreVariations(input))
  const stored = await storePreviews(parts, own.generationId, variations)
  await writeStored(parts, own, stored.flatMap(variationKeys), async (transaction) => {
    const claimed = await transaction
      .updateTable('generation_layers')
      .set({ more_made_at: parts.clock() })
      .where('generation_id', '=', own.generationId)
      .where('more_made_at', 'is', null)
      .returning('generation_id')
      .executeTakeFirst()
    if (claimed === undefined) throw new AppError('more_variations_made')
    const { generationId: generation_id } = own
    const about = { generation_id, source: 'more', created_at: parts.clock() } as const
    for (const variation of stored) await insertVariation(transaction, { ...about, ...variation })
  })
}
