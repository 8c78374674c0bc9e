import { deletionUndoMs } from '@starside/contract/limits.ts'
import { sql } from 'kysely'
import { inTransaction } from '../platform/db/database.ts'
import { findRow, findRows, updateRows } from '../platform/db/rows.ts'
import { takeBatches } from '../platform/jobs/take-batches.ts'
import { isUuid } from '../platform/db/uuid.ts'
import type { SelfieParts } from './parts.ts'
import { deleteInputs, removeGeneration } from './delete-generation.ts'
import { failGeneration } from './finish-generation.ts'
import { objectKeyColumns } from './queries.ts'
import { purgeVariations } from './variations/delete-variation.ts'
import { deleteExpiredLayers } from './variations/layers.ts'
import { variationsPrefix } from './variations/store-sheet.ts'
import { variationKeyColumns } from './variations/variation-queries.ts'
import { fromNow } from '../platform/clock.ts'

type Parts = Pick<SelfieParts, 'database' | 'store' | 'clock' | 'notifications'>

const likenessKeptMs = 30 * 86_400_000

/** Where objects of generations lie. */
export const sweptPrefixes = ['inputs', 'pictures', variationsPrefix, 'layers']

/**
 * Mends what a crash may have left: overdue generations give credits back, deleted pictures lose
 * their objects, photos go with their generation. May run twice and on several nodes at once; a
 * part that fails keeps no other from its work.
 */
export async function sweepGenerations(
  context: Parts,
  signal: AbortSignal,
  batchSize = 200,
): Promise<void> {
  const batches = [
    failOverdue,
    purgeDeleted,
    deleteLeftInputs,
    deleteExpiredLayers,
    purgeVariations,
  ]
  const steps = [
    ...batches.map((step) => () => takeBatches(signal, batchSize, (size) => step(context, size))),
    () => forgetLikeness(context),
    ...sweptPrefixes.map((prefix) => () => sweepObjects(context, prefix, { signal })),
  ]
  const errors: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw new AggregateError(errors, 'A part of the sweep failed.')
}

async function failOverdue(context: Parts, batchSize: number): Promise<number> {
  // The hold is extended while a hosted provider works, so its end is the generation's.
  const { rows } = await sql<{ id: string }>`
    select generations.id
    from generations join credit_holds as hold on hold.id = generations.hold_id
    where generations.state = 'running' and hold.expires_at <= ${context.clock()}
    limit ${batchSize}`.execute(context.database)
  for (const { id } of rows) await failGeneration(context, id, 'generation_failed')
  return rows.length
}

/** How alike people were to their photos is kept for the operator, for as long as it may be of use. */
async function forgetLikeness(context: Parts): Promise<void> {
  const match = sql`likeness is not null and created_at < ${fromNow(context, -likenessKeptMs)}`
  await updateRows(context.database, 'generation_attempts', { match, set: { likeness: null } })
}

async function purgeDeleted(context: Parts, batchSize: number): Promise<number> {
  const match = sql`deleted_at < ${fromNow(context, -deletionUndoMs)} and clean_key is not null`
  const rows = await findRows(context.database, 'generations', sql`${match} limit ${batchSize}`)
  const parts = { ...context, now: context.clock() }
  for (const { id } of rows) {
    const deleteFiles = await inTransaction(context.database, async (transaction) => {
      // It may have been brought back meanwhile.
      const still = sql`id = ${id} and deleted_at is not null for update`
      const deleted = await findRow(transaction, 'generations', still)
      return deleted && removeGeneration(transaction, deleted, parts)
    })
    await deleteFiles?.()
  }
  return rows.length
}

async function deleteLeftInputs(context: Parts, batchSize: number): Promise<number> {
  const match = sql`state <> 'running' and user_photo_key is not null limit ${batchSize}`
  const rows = await findRows(context.database, 'generations', match)
  for (const row of rows) await deleteInputs(context, row)
  return rows.length
}

type ObjectParts = Pick<SelfieParts, 'database' | 'store' | 'clock'>

/** Objects younger than this may belong to work under way. */
const orphanAgeMs = 60 * 60_000
/** A store of forty million objects is gone through in a day and a half at one sweep in 5 minutes. */
const objectsInSweepMax = 100_000
/** As many as an S3 listing has on a page. */
const keysInStatement = 1_000

/**
 * Deletes objects below `prefix` that no generation and no attempt names. A sweep looks at a bounded
 * number and the next goes on from there, then anew. May run twice and on several nodes at once.
 */
export async function sweepObjects(
  parts: ObjectParts,
  prefix: string,
  { signal, objectsMax = objectsInSweepMax }: { signal: AbortSignal; objectsMax?: number },
): Promise<void> {
  const madeBefore = fromNow(parts, -orphanAgeMs)
  const row = await findRow(parts.database, 'sweep_positions', { prefix })
  const after = row?.after_key ?? ''
  let last = ''
  let looked = 0
  let isEnd = true
  let old: string[] = []
  for await (const { key, modifiedAt } of parts.store.list(prefix, { after })) {
    if (signal.aborted || looked === objectsMax) {
      isEnd = false
      break
    }
    looked += 1
    last = key
    if (modifiedAt < madeBefore) old.push(key)
    if (old.length < keysInStatement) continue
    await deleteOrphans(parts, old)
    old = []
  }
  await deleteOrphans(parts, old)
  const position = isEnd ? '' : last
  if (position !== after) await writePosition(parts, prefix, position)
}

async function deleteOrphans(parts: ObjectParts, keys: readonly string[]): Promise<void> {
  const used = await findKeysInUse(parts, keys)
  for (const key of keys) if (!used.has(key)) await parts.store.delete(key)
}

/** Those of the keys that a row names. A key is made with its generation's id as its second part. */
async function findKeysInUse({ database }: Pick<SelfieParts, 'database'>, keys: readonly string[]) {
  const named = keys
    .map((key) => ({ key, generationId: key.split('/')[1] ?? '' }))
    .filter(({ generationId }) => isUuid(generationId))
  if (named.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    with listed as (
      select key, generation_id
      from unnest(${named.map(({ key }) => key)}::text[],
        ${named.map(({ generationId }) => generationId)}::uuid[]) as listed (key, generation_id)
    )
    select listed.key
    from listed join generations on generations.id = listed.generation_id
    where (
        listed.key in (${sql.join(objectKeyColumns.map((name) => sql.ref(name)))})
        -- A node of the version before forgets photos that it doesn't know when it ends a selfie.
        and (state = 'running' or listed.key not like 'inputs/%')
      )
      -- The PNG that a picture was once downloaded as lies beside it.
      or regexp_replace(listed.key, '[.]png$', '.jpg') in (clean_key, watermarked_key)
    union all
    select listed.key
    from listed join variations on variations.generation_id = listed.generation_id
    where listed.key in (${sql.join(variationKeyColumns.map((name) => sql.ref(name)))})
      or regexp_replace(listed.key, '[.]png$', '.jpg') in (clean_key, watermarked_key)
    union all
    select listed.key
    from listed join generation_layers as layers on layers.generation_id = listed.generation_id
      and layers.object_key = listed.key
    union all
    select listed.key
    from listed
    join generation_attempts as attempt on attempt.generation_id = listed.generation_id
      and listed.key = any (array_append(attempt.further_output_keys, attempt.output_key))
  `.execute(database)
  return new Set(rows.map(({ key }) => key))
}

async function writePosition(
  { database }: ObjectParts,
  prefix: string,
  key: string,
): Promise<void> {
  await database
    .insertInto('sweep_positions')
    .values({ prefix, after_key: key })
    .onConflict((conflict) => conflict.column('prefix').doUpdateSet({ after_key: key }))
    .execute()
}
