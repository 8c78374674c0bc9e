import { sql } from 'kysely'
import type { OperatorCall, PageBody } from '../operator-page.ts'
import { listPage } from '../tables.ts'
import { lastLikeness, makingColumns, selfieColumns } from './selfie-page.ts'

/** As many as somebody looks at; pictures are fetched when they come into view. */
const rowsMax = 50

export const selfiesPage: PageBody = {
  show: (call) =>
    listPage(
      call,
      (page) => findSelfies(call, page),
      { ...selfieColumns(call), ...makingColumns },
      { rowsMax, empty: 'Nobody has made a selfie yet.' },
    ),
}

async function findSelfies(
  { context }: OperatorCall,
  { offset, limit }: { offset: number; limit: number },
) {
  const newest = (state: 'running' | 'done' | 'failed') =>
    context.database
      .selectFrom('generations')
      .innerJoin('users', 'users.id', 'generations.user_id')
      .select(['generations.id', 'user_id', 'username', 'celebrity', 'preset_id'])
      .select(['state', 'stage', 'provider', 'model', 'error_code', 'finished_at'])
      .select('generations.created_at')
      .select(lastLikeness)
      .where('state', '=', sql.lit(state))
      .where('deleted_at', 'is', null)
      .orderBy(state === 'running' ? 'generations.created_at' : 'finished_at', 'desc')
      .limit(offset + limit)
      .execute()
  // Each state has an index of its own, by its own time.
  const found = await Promise.all([newest('running'), newest('done'), newest('failed')])
  return found
    .flat()
    .toSorted((one, other) => other.created_at.getTime() - one.created_at.getTime())
    .slice(offset, offset + limit)
}
