import { sql } from 'kysely'
import { html } from '../../http/html.ts'
import type { Html } from '../../http/html.ts'
import type { AdminCall, AdminPage } from '../admin-page.ts'
import { firstRow, pageLinks, pageRowsMax, table, time } from '../tables.ts'

export const selfiesPage: AdminPage = {
  path: '/admin/selfies',
  title: 'Selfies',
  act: 'see selfies',
  group: 'People',
  show: showSelfies,
}

/** Without the pictures: an operator has no business in them unless one is reported. */
async function showSelfies(call: AdminCall): Promise<Html> {
  const { database } = call.context
  const from = firstRow(call)
  const newest = (state: 'running' | 'done' | 'failed') =>
    database
      .selectFrom('generations')
      .select(['id', 'user_id', 'celebrity', 'state', 'stage', 'provider', 'model', 'error_code'])
      .select(['created_at', 'finished_at'])
      .select((row) =>
        row
          .selectFrom('generation_attempts')
          .select('likeness')
          .whereRef('generation_id', '=', 'generations.id')
          .where('likeness', 'is not', null)
          .orderBy('created_at', 'desc')
          .limit(1)
          .as('likeness'),
      )
      .where('state', '=', sql.lit(state))
      .orderBy(state === 'running' ? 'created_at' : 'finished_at', 'desc')
      .limit(from + pageRowsMax + 1)
      .execute()
  // Each state has an index of its own, by its own time.
  const found = await Promise.all([newest('running'), newest('done'), newest('failed')])
  const rows = found
    .flat()
    .toSorted((one, other) => other.created_at.getTime() - one.created_at.getTime())
    .slice(from, from + pageRowsMax + 1)
  return html`${table(
    ['Selfie', 'Account', 'Star', 'State', 'Made by', 'Likeness', 'Since', 'Seconds'],
    rows
      .slice(0, pageRowsMax)
      .map((row) => [
        html`<code>${row.id}</code>`,
        html`<code>${row.user_id}</code>`,
        row.celebrity,
        row.state === 'failed'
          ? html`<span class="bad">${row.error_code}</span>`
          : row.state === 'done'
            ? 'done'
            : row.stage,
        `${row.provider ?? ''} ${row.model ?? ''}`,
        row.likeness === null ? '' : `${Math.round(row.likeness * 100)} %`,
        time(row.created_at),
        row.finished_at === null
          ? ''
          : ((row.finished_at.getTime() - row.created_at.getTime()) / 1_000).toFixed(1),
      ]),
  )}
  ${pageLinks(call, { rowsMax: pageRowsMax, hasMore: rows.length > pageRowsMax })}`
}
