import { deletionUndoMs } from '@starside/contract/limits.ts'
import { sql } from 'kysely'
import type { SelfieParts } from '../parts.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { findRow, updateRows } from '../../platform/db/rows.ts'
import { isUuid } from '../../platform/db/uuid.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { deleteObjects } from '../delete-generation.ts'
import type { OwnGenerationId } from '../queries.ts'
import { assertRoom } from './add-variation.ts'
import { findOwnVariation } from './choose-variation.ts'
import { lockOwnGeneration } from '../own-generation.ts'
import { variationKeys } from './variation-queries.ts'
import type { VariationRow } from './variation-queries.ts'
import { fromNow } from '../../platform/clock.ts'

type Parts = Pick<SelfieParts, 'clock' | 'database'>

/**
 * Deletes a variation. For half a minute it can be brought back, and with it what was deleted of the selfie within
 * the half minute before; then its objects go. A public link that shows it goes at once (trigger `variations_end_link`). Throws `generation_unknown`, `variation_unknown`, and `variation_chosen` for the one that is shown.
 */
export async function deleteVariation(
  { database, clock }: Parts,
  own: OwnGenerationId,
  variationId: string,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const { clean_key: shownKey } = await lockOwnGeneration(transaction, own)
    const variation = await findOwnVariation({ database: transaction }, own, variationId)
    if (variation.clean_key !== null && variation.clean_key === shownKey) {
      throw new AppError('variation_chosen')
    }
    const undoable = sql`deleted_at >= ${fromNow({ clock }, -deletionUndoMs)}`
    const match = sql`generation_id = ${own.generationId} and (id = ${variationId} or ${undoable})`
    await updateRows(transaction, 'variations', { match, set: { deleted_at: clock() } })
  })
}

/** Undoes a deletion. Throws `variation_unknown` when too late, `variations_too_many` when full. */
export async function restoreVariation(
  { database }: Pick<Parts, 'database'>,
  own: OwnGenerationId,
  variationId: string,
): Promise<void> {
  if (!isUuid(variationId)) throw new AppError('variation_unknown')
  await inTransaction(database, async (transaction) => {
    await lockOwnGeneration(transaction, own)
    const match = { generation_id: own.generationId, id: variationId }
    const variation = await findRow(transaction, 'variations', match)
    if (variation === undefined) throw new AppError('variation_unknown')
    if (variation.deleted_at === null) return
    if (variation.source === 'adjusted') await assertRoom(transaction, own)
    await updateRows(transaction, 'variations', { match, set: { deleted_at: null } })
  })
}

/** Deletes a batch of variations whose time to be brought back is over; answers how many. */
export async function purgeVariations(
  { database, clock, store }: Parts & Pick<SelfieParts, 'store'>,
  batchSize: number,
): Promise<number> {
  const deletedBefore = fromNow({ clock }, -deletionUndoMs)
  // The rows go first: an object without a row is found as an orphan, never the other way round.
  const { rows } = await sql<VariationRow>`
    delete from variations where deleted_at < ${deletedBefore} and id in (
      select id from variations where deleted_at < ${deletedBefore} limit ${batchSize})
    returning *`.execute(database)
  await deleteObjects({ store }, rows.flatMap(variationKeys))
  return rows.length
}
