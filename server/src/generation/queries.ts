import type { Selectable } from 'kysely'
import type { Database, Queryable } from '../db/database.ts'
import type { GenerationsTable } from '../db/tables.ts'
import type { Cursor } from '../http/cursor.ts'

export type GenerationRow = Selectable<GenerationsTable>

/** A generation with what decides which picture its owner sees. */
export type OwnedGenerationRow = GenerationRow & { bought_total: number; referral_code: string }

/** A row by its id, also a deleted one; undefined when there is none. */
export function findGeneration(
  database: Queryable,
  generationId: string,
): Promise<GenerationRow | undefined> {
  return database
    .selectFrom('generations')
    .selectAll()
    .where('id', '=', generationId)
    .executeTakeFirst()
}

/** Generations together with what their owner's tier and code say. */
export function selectOwned(database: Queryable) {
  return database
    .selectFrom('generations')
    .innerJoin('credit_accounts', 'credit_accounts.user_id', 'generations.user_id')
    .innerJoin('users', 'users.id', 'generations.user_id')
    .selectAll('generations')
    .select(['credit_accounts.bought_total', 'users.referral_code'])
}

/** The user's own generation; undefined for somebody else's and for a deleted one. */
export function findOwnGeneration(
  database: Queryable,
  options: { generationId: string; userId: string },
): Promise<OwnedGenerationRow | undefined> {
  return selectOwned(database)
    .where('generations.id', '=', options.generationId)
    .where('generations.user_id', '=', options.userId)
    .where('generations.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** A finished picture with its owner's tier; undefined when it doesn't exist or was deleted. */
export function findPicture(
  database: Queryable,
  generationId: string,
): Promise<OwnedGenerationRow | undefined> {
  return selectOwned(database)
    .where('generations.id', '=', generationId)
    .where('generations.state', '=', 'done')
    .where('users.status', '=', 'active')
    .where('generations.deleted_at', 'is', null)
    .executeTakeFirst()
}

export function findByIdempotencyKey(
  database: Queryable,
  options: { userId: string; idempotencyKey: string },
) {
  return database
    .selectFrom('generations')
    .select(['id', 'request_digest'])
    .where('user_id', '=', options.userId)
    .where('idempotency_key', '=', options.idempotencyKey)
    .executeTakeFirst()
}

export async function hasRunningGeneration(database: Queryable, userId: string): Promise<boolean> {
  const row = await database
    .selectFrom('generations')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return row !== undefined
}

/** Finished and running selfies of a user, newest first; failed and deleted ones are left out. */
export function listGenerations(
  database: Database,
  options: { userId: string; after: Cursor | undefined; limit: number },
): Promise<OwnedGenerationRow[]> {
  const { userId, after, limit } = options
  return selectOwned(database)
    .where('generations.user_id', '=', userId)
    .where('generations.deleted_at', 'is', null)
    .where('generations.state', '!=', 'failed')
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('generations.created_at', 'generations.id'),
          '<',
          tuple(after?.at ?? new Date(0), after?.id ?? ''),
        ),
      ),
    )
    .orderBy('generations.created_at', 'desc')
    .orderBy('generations.id', 'desc')
    .limit(limit)
    .execute()
}

/** How many selfies the user has made and not deleted: the figure 'Selfies created'. */
export async function countSelfies(database: Queryable, userId: string): Promise<number> {
  const { count } = await database
    .selectFrom('generations')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .where('state', '=', 'done')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
