import { sql } from 'kysely'
import { deletionUndoMs } from '@starside/contract/limits.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { Database, Transaction, Queryable } from '../platform/db/database.ts'
import { deleteRows, findRow, findRows, updateRows } from '../platform/db/rows.ts'
import type { SelfieParts } from './parts.ts'
import { objectKeyColumns, inputKeyColumns, updateOwn } from './queries.ts'
import type { GenerationRow, OwnGenerationId } from './queries.ts'
import { pngKeyOf } from './picture-png.ts'
import { variationKeys } from './variations/variation-queries.ts'

/**
 * Takes a finished picture out of the owner's history and voids its public link at once. For half
 * a minute it can be brought back, and with it what was deleted within the half minute before; then
 * its objects are deleted. Throws `generation_unknown`.
 */
export async function deleteGeneration(
  database: Database,
  own: OwnGenerationId,
  now: Date,
): Promise<void> {
  await updateOwn(database, own)
    .set({ deleted_at: now, share_id: null })
    .where('state', '!=', 'running')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow(() => new AppError('generation_unknown'))
  const since = new Date(now.getTime() - deletionUndoMs)
  const match = sql`user_id = ${own.userId} and deleted_at >= ${since} and clean_key is not null`
  await updateRows(database, 'generations', { match, set: { deleted_at: now } })
}

/** Undoes a deletion while the picture is still there. Throws `generation_unknown` after that. */
export async function restoreGeneration(database: Database, own: OwnGenerationId): Promise<void> {
  await updateOwn(database, own)
    .set({ deleted_at: null })
    .where('deleted_at', 'is not', null)
    .where('clean_key', 'is not', null)
    .executeTakeFirstOrThrow(() => new AppError('generation_unknown'))
}

/** A finished picture by its id, also one that its owner has deleted; undefined for all others. */
export function findRemovable(
  database: Database,
  generationId: string,
): Promise<GenerationRow | undefined> {
  return findRow(database, 'generations', { id: generationId, state: 'done' })
}

/**
 * Takes a picture away for good: its public link and addresses answer 404 from the commit on. Answers
 * a function that deletes its objects, for after the commit; what that leaves behind, the sweep finds.
 */
export async function removeGeneration(
  transaction: Transaction,
  row: GenerationRow,
  parts: Pick<SelfieParts, 'store'> & { now: Date },
): Promise<() => Promise<void>> {
  const keys = await findObjectKeys(transaction, row)
  await deleteRows(transaction, 'variations', { generation_id: row.id })
  await deleteRows(transaction, 'generation_layers', { generation_id: row.id })
  const deletedAt = row.deleted_at ?? parts.now
  await updateRows(transaction, 'generations', {
    match: { id: row.id, state: 'done' },
    set: { deleted_at: deletedAt, share_id: null, ...withoutKeys(objectKeyColumns) },
  })
  return () => deleteObjects(parts, keys)
}

type Parts = Pick<SelfieParts, 'database' | 'store'>

function withoutKeys(columns: readonly (typeof objectKeyColumns)[number][]) {
  return Object.fromEntries(columns.map((column) => [column, null]))
}

/** Deletes the photos that a generation was made of: they are kept only while it runs. */
export async function deleteInputs(
  parts: Parts,
  row: Pick<GenerationRow, 'id' | (typeof inputKeyColumns)[number]>,
): Promise<void> {
  await deleteObjects(
    parts,
    inputKeyColumns.flatMap((column) => row[column] ?? []),
  )
  const set = withoutKeys(inputKeyColumns)
  await updateRows(parts.database, 'generations', { match: { id: row.id }, set })
}

/** The keys of every object of a generation, to be read before its rows are deleted. */
export async function findObjectKeys(database: Queryable, row: GenerationRow): Promise<string[]> {
  const ofRow = { generation_id: row.id }
  const variations = await findRows(database, 'variations', ofRow)
  const layers = await findRows(database, 'generation_layers', ofRow)
  const keys = [
    ...objectKeyColumns.flatMap((column) => row[column] ?? []),
    ...variations.flatMap(variationKeys),
    ...layers.map((each) => each.object_key),
  ]
  return [...new Set(keys)]
}

/** Deletes objects, and the PNGs that pictures may have been downloaded as. */
export async function deleteObjects(
  { store }: Pick<SelfieParts, 'store'>,
  keys: readonly string[],
): Promise<void> {
  // Whether a PNG was ever made isn't known; deleting what isn't there is no error.
  const pngs = keys.filter((key) => /-(?:clean|watermarked)[.]jpg$/.test(key)).map(pngKeyOf)
  await Promise.all([...keys, ...pngs].map((key) => store.delete(key)))
}
