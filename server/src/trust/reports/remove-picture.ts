import { sql } from 'kysely'
import type { TrustParts } from '../parts.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { findRows, updateRows } from '../../platform/db/rows.ts'
import { takeBatches } from '../../platform/jobs/take-batches.ts'
import { findRemovable, removeGeneration } from '../../selfies/delete-generation.ts'
import { findSimilarPictures } from '../../selfies/similar-pictures.ts'
import { findVariationHashes } from '../../selfies/variations/variation-queries.ts'
import { blockPictures } from '../../moderation/blocked-pictures.ts'
import { logModeration } from '../../moderation/moderation.ts'

type Parts = Pick<TrustParts, 'database' | 'store' | 'clock'>

const copiesMax = 100

/**
 * Removes a picture, its public link and its addresses, blocks it and its two photos from being
 * used or made again, and decides the open reports about it. What the program removes by itself blocks nothing. Undefined when there is no such
 * finished picture. Doing it again changes nothing but the record.
 *
 * Answers how many perceptual hashes are blocked from now on, and which other pictures are still there:
 * identical copies, with the same hash, and others that look nearly the same.
 */
export async function removePicture(
  parts: Parts,
  options: { generationId: string; reason: string; by?: 'operator' | 'system' },
) {
  const { generationId, reason, by = 'operator' } = options
  const row = await findRemovable(parts.database, generationId)
  if (row === undefined) return undefined
  const now = parts.clock()
  const { blocked, deleteObjects } = await inTransaction(parts.database, async (transaction) => {
    const hashes = await findVariationHashes(transaction, generationId)
    const count = by === 'system' ? 0 : await blockPictures(transaction, row, hashes, now)
    const remove = await removeGeneration(transaction, row, { store: parts.store, now })
    const step = { at: now, generation_id: generationId }
    await logModeration(transaction, {
      ...step,
      actor: by,
      act: 'picture removed',
      user_id: row.user_id,
      detail: reason,
    })
    const resolved = await updateRows(transaction, 'reports', {
      match: { generation_id: generationId, resolved_at: null },
      set: { resolved_at: now, outcome: 'removed', note: reason },
    })
    for (const { id: report_id } of resolved) {
      const decision = { actor: 'operator', act: 'report resolved', detail: 'removed' } as const
      await logModeration(transaction, { ...step, ...decision, report_id })
    }
    return { blocked: count, deleteObjects: remove }
  })
  await deleteObjects()
  return { ownerId: row.user_id, blocked, ...(await findCopies(parts, row)) }
}

/** Identical copies are to be removed as well; which of the others are copies is decided by eye. */
async function findCopies({ database }: Parts, row: { id: string; picture_hash: string | null }) {
  if (row.picture_hash === null) return { identical: [], copies: [] }
  const similar = await findSimilarPictures(database, [row.picture_hash], copiesMax)
  const others = similar.filter(({ id, deletedAt }) => id !== row.id && deletedAt === null)
  const idsOf = (isIdentical: boolean) =>
    others.filter(({ distance }) => (distance === 0) === isIdentical).map(({ id }) => id)
  return { identical: idsOf(true), copies: idsOf(false) }
}

const atOnceMax = 200

/** Removes pictures with stars whose licence has ended, where operators want so; blocks nothing. */
export async function removeEndedStars(
  parts: Pick<TrustParts, 'database' | 'store' | 'clock' | 'site'>,
  signal: AbortSignal,
): Promise<void> {
  if (parts.site.values()['stars.afterLicence'] === 'keep') return
  const { database, clock } = parts
  const today = clock().toISOString().slice(0, 10)
  const ended = await findRows(database, 'stars', sql`licence_until < ${today}`)
  if (ended.length === 0) return
  const ids = ended.map(({ id }) => id)
  const reason = 'the licence of its star has ended'
  await takeBatches(signal, atOnceMax, async (limit) => {
    const match = sql`(preset_id = any(${ids}) or second_preset_id = any(${ids}))
      and state = 'done' and clean_key is not null limit ${limit}`
    const pictures = await findRows(database, 'generations', match)
    for (const { id } of pictures) {
      await removePicture(parts, { generationId: id, reason, by: 'system' })
    }
    return pictures.length
  })
}
