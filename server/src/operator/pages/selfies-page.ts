import { sql } from 'kysely'
import { html } from '../../platform/http/html.ts'
import { isUser, escapeLike } from '../find-user.ts'
import type { OperatorCall, PageBody } from '../operator-page.ts'
import { listPage, searchOf } from '../tables.ts'
import { lastLikeness, makingColumns, selfieColumns } from './selfie-columns.ts'

/** As many as somebody looks at; pictures are fetched when they come into view. */
const rowsMax = 50

export const selfiesPage: PageBody = {
  async show(call) {
    const { search, searchForm } = searchOf(call, 'Email, name, account, selfie, star or state')
    const columns = { ...selfieColumns(call), ...makingColumns }
    return html`${searchForm}
    ${await listPage(call, (page) => findSelfies(call, search, page), 'Nobody has made a selfie yet.', columns, rowsMax)}`
  },
}

async function findSelfies(
  { context }: OperatorCall,
  search: string,
  { offset, limit }: { offset: number; limit: number },
) {
  const named = sql<boolean>`(${isUser(search)} or ${search} in (generations.id::text, state, error_code)
    or concat_ws(' ', celebrity, star_names) ilike ${`%${escapeLike(search)}%`})`
  const newest = (state: 'running' | 'done' | 'failed') =>
    context.database
      .selectFrom('generations')
      .innerJoin('users', 'users.id', 'generations.user_id')
      .select(['generations.id', 'user_id', 'username'])
      .select(['celebrity', 'star_names', 'preset_id', 'second_preset_id'])
      .select(['state', 'stage', 'provider', 'model', 'error_code', 'finished_at'])
      .select(['generations.created_at', lastLikeness])
      .where('state', '=', sql.lit(state))
      .where('deleted_at', 'is', null)
      .$if(search !== '', (query) => query.where(named))
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
