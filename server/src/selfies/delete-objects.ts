import type { SelfieParts } from './parts.ts'
import type { Queryable } from '../platform/db/database.ts'
import { pngKeyOf } from './picture-png.ts'
import { inputKeyColumns, objectKeyColumns } from './queries.ts'
import type { GenerationRow } from './queries.ts'
import { variationKeys } from './variations/variation-queries.ts'

type Parts = Pick<SelfieParts, 'database' | 'store'>

/** Nothing in these columns. */
export function withoutKeys(columns: readonly (typeof objectKeyColumns)[number][]) {
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
  await parts.database
    .updateTable('generations')
    .set(withoutKeys(inputKeyColumns))
    .where('id', '=', row.id)
    .execute()
}

/** The keys of every object of a generation, to be read before its rows are deleted. */
export async function findObjectKeys(database: Queryable, row: GenerationRow): Promise<string[]> {
  const variations = await database
    .selectFrom('variations')
    .selectAll()
    .where('generation_id', '=', row.id)
    .execute()
  const layers = await database
    .selectFrom('generation_layers')
    .select('object_key')
    .where('generation_id', '=', row.id)
    .execute()
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
