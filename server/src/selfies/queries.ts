import { customCelebrity } from '@starside/contract/limits.ts'
import { sql, type Selectable } from 'kysely'
import type pg from 'pg'
import { isPremiumSelfie } from '../ledger/credits/account.ts'
import type { Database, Queryable } from '../platform/db/database.ts'
import { createRowReader, requestRows } from '../platform/db/read-rows.ts'
import { findRow } from '../platform/db/rows.ts'
import type { GenerationsTable } from '../platform/db/tables.d.ts'
import type { Cursor } from '../platform/http/cursor.ts'
import { shownLayers, shownVariations } from './variations/variation-queries.ts'
import type { ShownVariationColumns } from './variations/variation-queries.ts'

export type GenerationRow = Selectable<GenerationsTable>

/** What a generation's owner sees beside its own columns: by the tier, the code, the variations. */
interface OwnerColumns extends ShownVariationColumns {
  is_premium: boolean
  referral_code: string
  /** The event of an owner who is its guest. */
  guest_of: string | null
}

export type OwnedGenerationRow = GenerationRow & OwnerColumns

const shownColumns = [
  'id',
  'state',
  'stage',
  'stage_percent',
  'celebrity',
  'star_names',
  'preset_id',
  'scene',
  'has_background_photo',
  'is_grey_advised',
  'grey_hints',
  'width_px',
  'height_px',
  'provider',
  'model',
  'error_code',
  'created_at',
  'finished_at',
  'share_id',
] as const satisfies readonly (keyof GenerationsTable)[]

/** Where a generation keeps the keys of the photos that it is made of. */
export const inputKeyColumns = [
  'user_photo_key',
  'star_photo_key',
  'second_star_photo_key',
  'background_photo_key',
] as const satisfies readonly (keyof GenerationsTable)[]

/** Where a generation keeps the keys of its objects in the store. */
export const objectKeyColumns = [
  ...inputKeyColumns,
  'clean_key',
  'watermarked_key',
  'clean_thumbnail_key',
  'watermarked_thumbnail_key',
] as const satisfies readonly (keyof GenerationsTable)[]

/** As much of a generation as its owner is shown. */
export type ShownGenerationRow = Pick<GenerationRow, (typeof shownColumns)[number]> & OwnerColumns

/** The faces of the user's photo that are meant; undefined for the main one. */
export function userFacesOf(
  row: Pick<GenerationRow, 'user_face_index' | 'user_face_indexes'>,
): readonly number[] | undefined {
  if (row.user_face_indexes !== null) return row.user_face_indexes
  return row.user_face_index === null ? undefined : [row.user_face_index]
}

/** The star of a generation, or both. */
export function starsOf(row: GenerationRow) {
  const { preset_id: presetId, star_photo_key: photoKey, star_face_index: faceIndex } = row
  const first = { presetId, photoKey, faceIndex }
  if (row.star_names === null) return [first]
  const second = {
    presetId: row.second_preset_id,
    photoKey: row.second_star_photo_key,
    faceIndex: row.second_star_face_index,
  }
  return [first, second]
}

/** Generations together with what their owner's tier and code say. */
export function selectOwned(database: Queryable) {
  return database
    .selectFrom('generations')
    .innerJoin('credit_accounts', 'credit_accounts.user_id', 'generations.user_id')
    .innerJoin('users', 'users.id', 'generations.user_id')
    .selectAll('generations')
    .select(['users.referral_code', 'users.guest_of'])
    .select([
      sql<boolean>`${sql.raw(isPremiumSelfie)}`.as('is_premium'),
      sql<ShownVariationColumns['variations']>`${sql.raw(shownVariations)}`.as('variations'),
      sql<ShownVariationColumns['layers']>`${sql.raw(shownLayers)}`.as('layers'),
    ])
}

/** A generation with the user who asks for it; whether it is theirs, queries that use both decide. */
export type OwnGenerationId = { generationId: string; userId: string }

/** Reads the user's own generation; undefined for somebody else's and for a deleted one. */
export type FindOwnGeneration = (own: OwnGenerationId) => Promise<ShownGenerationRow | undefined>

/** An update of one's own generation, to be completed by what changes and in which state it may. */
export const updateOwn = (database: Database, { generationId, userId }: OwnGenerationId) =>
  database
    .updateTable('generations')
    .where('id', '=', generationId)
    .where('user_id', '=', userId)
    .returning('id')

/** Browsers ask for the state of what is being made again and again. */
export function createGenerationReader(pool: pg.Pool): FindOwnGeneration {
  return createRowReader(pool, {
    name: 'own-generation',
    text: `
      select request.n::integer as n, users.referral_code, users.guest_of,
        ${isPremiumSelfie} as is_premium,
        ${shownColumns.map((name) => `generations.${name}`).join(', ')},
        ${shownVariations} as variations, ${shownLayers} as layers
      from (${requestRows('$1::uuid[], $2::uuid[]')}) as request (id, user_id, n)
      join generations on generations.id = request.id
        and generations.user_id = request.user_id and generations.deleted_at is null
      join credit_accounts on credit_accounts.user_id = request.user_id
      join users on users.id = request.user_id`,
    values: (keys) => [
      keys.map(({ generationId }) => generationId),
      keys.map(({ userId }) => userId),
    ],
  })
}

/** A finished picture with its owner's tier; undefined when it doesn't exist or was deleted. */
export function findPicture(
  database: Queryable,
  generationId: string,
): Promise<OwnedGenerationRow | undefined> {
  return selectVisible(database).where('generations.id', '=', generationId).executeTakeFirst()
}

/** Finished pictures that may be shown: not deleted, and their owner isn't suspended. */
export function selectVisible(database: Queryable) {
  return selectOwned(database)
    .where('generations.state', '=', 'done')
    .where('users.status', '=', 'active')
    .where('generations.deleted_at', 'is', null)
}

export async function hasRunningGeneration(database: Queryable, userId: string): Promise<boolean> {
  const running = { user_id: userId, state: 'running' } as const
  return (await findRow(database, 'generations', running)) !== undefined
}

interface SelfieList {
  userId: string
  star?: string | undefined
  order?: 'newest' | 'oldest' | undefined
  after: Cursor | undefined
  limit: number
}

/** Finished and running selfies of a user, newest first by default; failed and deleted ones are left out. */
export function listGenerations(
  database: Database,
  { userId, star, order = 'newest', after, limit }: SelfieList,
): Promise<OwnedGenerationRow[]> {
  const [direction, beyond] =
    order === 'newest' ? (['desc', sql`<`] as const) : (['asc', sql`>`] as const)
  return selectOwned(database)
    .where((where) => where.and({ 'generations.user_id': userId, 'generations.deleted_at': null }))
    .where('generations.state', '!=', 'failed')
    .$if(star !== undefined, (query) => query.where(sql<boolean>`${star} = any(${starNames})`))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(generations.created_at, generations.id) ${beyond} (${after?.at}, ${after?.id})`,
      ),
    )
    .orderBy('generations.created_at', direction)
    .orderBy('generations.id', direction)
    .limit(limit)
    .execute()
}

/** Who stands in a selfie beside the user, one by one. */
const starNames = sql<string[]>`coalesce(generations.star_names, array[generations.celebrity])`

/** Everybody with whom the user has selfies that aren't deleted, by name, the nameless last, and how many there are, with `star` if given. */
export async function summariseSelfies(database: Queryable, userId: string, star?: string) {
  const { rows } = await sql<{ stars: string[]; total: number }>`
    with made as (
      select ${starNames} as names from generations
      where user_id = ${userId} and state = 'done' and deleted_at is null
    )
    select array(select name from made, unnest(names) as name
        group by name order by name = ${customCelebrity}, name) as stars,
      (select count(*)::integer from made where ${star ?? null}::text is null
        or ${star ?? null} = any(names)) as total`.execute(database)
  return rows[0]!
}
