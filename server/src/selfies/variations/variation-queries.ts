import type { VariationItem } from '@starside/contract/variations.ts'
import { sql } from 'kysely'
import type { Insertable, Selectable } from 'kysely'
import type { Queryable, Transaction } from '../../platform/db/database.ts'
import { findRow, findRows } from '../../platform/db/rows.ts'
import type { VariationsTable } from '../../platform/db/tables.d.ts'
import type { SelfieParts } from '../parts.ts'
import type { OwnedGenerationRow } from '../queries.ts'

export type VariationRow = Selectable<VariationsTable>

/** Where a variation keeps the keys of its objects in the store. */
export const variationKeyColumns = [
  'clean_preview_key',
  'watermarked_preview_key',
  'clean_key',
  'watermarked_key',
  'clean_thumbnail_key',
  'watermarked_thumbnail_key',
] as const satisfies readonly (keyof VariationsTable)[]

/** As much of a variation as its owner is shown. */
export type ShownVariation = { id: string; position: number } & Omit<
  VariationItem,
  'variationId' | 'imageUrl' | 'thumbnailUrl' | 'downloadUrl'
>

/** What is told of a generation's layers. */
export interface ShownLayers {
  /** Unix time in milliseconds. */
  expiresAt: number
  wereMoreMade: boolean
}

/** SQL: the variations of a row of `generations`, in their order; null where there are none. */
export const shownVariations = `
  (select jsonb_agg(jsonb_build_object(
      'id', variation.id, 'position', variation.position, 'source', variation.source,
      -- Without the share of moved light, which earlier versions stored.
      'arrangement', variation.arrangement - 'light',
      'look', coalesce(variation.look, variation.arrangement ->> 'look', 'natural'),
      'widthPx', variation.width_px, 'heightPx', variation.height_px,
      'isRendered', variation.clean_key is not null,
      'isChosen', coalesce(variation.clean_key = generations.clean_key, false),
      'isShared', generations.share_id is not null
        and coalesce(variation.id = generations.shared_variation_id, false)
    ) order by variation.position)
    from variations as variation
    where variation.generation_id = generations.id and variation.deleted_at is null)`

/** SQL: what is told of the layers of a row of `generations`; null where none are kept. */
export const shownLayers = `
  (select jsonb_build_object(
      'expiresAt', (extract(epoch from layers.expires_at) * 1000)::bigint,
      'wereMoreMade', layers.more_made_at is not null
    )
    from generation_layers as layers where layers.generation_id = generations.id)`

/** What these columns give. */
export interface ShownVariationColumns {
  variations: ShownVariation[] | null
  layers: ShownLayers | null
}

/** One variation of a generation that may be shown; undefined when there is none, or it was deleted. */
export function findVariation(
  database: Queryable,
  { generationId, variationId }: { generationId: string; variationId: string },
): Promise<VariationRow | undefined> {
  const match = { id: variationId, generation_id: generationId, deleted_at: null }
  return findRow(database, 'variations', match)
}

/** The key of the natural full-size picture that differs in the look alone, even if deleted. */
export async function findUndeveloped(
  database: Queryable,
  { id, generation_id: generationId }: Pick<VariationRow, 'generation_id' | 'id'>,
): Promise<string | null | undefined> {
  const found = await database
    .selectFrom('variations as best')
    .innerJoin('variations as wanted', 'wanted.generation_id', 'best.generation_id')
    .select('best.clean_key')
    .where('wanted.id', '=', id)
    .where('best.generation_id', '=', generationId)
    .where('best.position', '=', 0)
    .where(sql<string>`coalesce(best.look, best.arrangement ->> 'look', 'natural')`, '=', 'natural')
    .where(sql<boolean>`best.arrangement - 'look' is not distinct from wanted.arrangement - 'look'`)
    .executeTakeFirst()
  return found?.clean_key
}

/** Columns of a new variation; those of pictures that there are none of may be left out. */
export type NewVariation = Omit<Insertable<VariationsTable>, 'position' | 'arrangement'> &
  Pick<VariationRow, 'arrangement'>

/** Writes a variation behind those that there are; the generation's row is locked by the caller. */
export async function insertVariation(
  transaction: Transaction,
  variation: NewVariation,
): Promise<void> {
  const { arrangement, ...columns } = variation
  await transaction
    .insertInto('variations')
    .values(({ selectFrom }) => ({
      ...columns,
      arrangement: arrangement === null ? null : JSON.stringify(arrangement),
      position: selectFrom('variations')
        .select(sql<number>`coalesce(max(position) + 1, 0)`.as('position'))
        .where('generation_id', '=', columns.generation_id),
    }))
    .execute()
}

/** The perceptual hashes of a generation's variations that there are at full size; int8 as text. */
export async function findVariationHashes(
  database: Queryable,
  generationId: string,
): Promise<string[]> {
  const rows = await findRows(database, 'variations', { generation_id: generationId })
  return rows.flatMap(({ picture_hash: hash }) => hash ?? [])
}

/** The keys of all objects that a variation has in the store. */
export function variationKeys(
  row: Partial<Pick<VariationRow, (typeof variationKeyColumns)[number]>>,
): string[] {
  return variationKeyColumns.flatMap((column) => row[column] ?? [])
}

/** The other variations' pictures, JPEG, as their owner may have them; without deleted ones. */
export async function readOtherVariations(
  { database, store }: Pick<SelfieParts, 'database' | 'store'>,
  { id, clean_key: shownKey, is_premium: isPremium }: OwnedGenerationRow,
): Promise<{ variationId: string; bytes: Buffer }[]> {
  const kept = sql`generation_id = ${id} and deleted_at is null order by position`
  const rows = await findRows(database, 'variations', kept)
  const found: { variationId: string; bytes: Buffer }[] = []
  for (const row of rows) {
    if (row.clean_key !== null && row.clean_key === shownKey) continue
    const key = isPremium
      ? (row.clean_key ?? row.clean_preview_key)
      : (row.watermarked_key ?? row.watermarked_preview_key)
    const bytes = key === null ? undefined : await store.get(key)
    if (bytes !== undefined) found.push({ variationId: row.id, bytes: Buffer.from(bytes) })
  }
  return found
}
