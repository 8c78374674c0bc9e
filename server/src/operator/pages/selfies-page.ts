import { sql } from 'kysely'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import type { OperatorCall, OperatorPage } from '../operator-page.ts'
import { listPage, time } from '../tables.ts'

export const selfiesPage: OperatorPage = {
  path: '/admin/selfies',
  title: 'Selfies',
  right: 'see selfies',
  group: 'Users',
  show: showSelfies,
}

/** Without the pictures: an operator has no business in them unless one is reported. */
async function showSelfies(call: OperatorCall): Promise<Html> {
  return listPage(call, (page) => findSelfies(call, page), {
    Selfie: ({ id }) => html`<code>${id}</code>`,
    Account: ({ user_id }) => html`<code>${user_id}</code>`,
    Star: ({ celebrity }) => celebrity,
    State: ({ state, stage, error_code }) => {
      if (state === 'failed') return html`<span class="bad">${error_code}</span>`
      return state === 'done' ? 'done' : stage
    },
    'Made by': ({ provider, model }) => `${provider ?? ''} ${model ?? ''}`,
    Likeness: ({ likeness }) => (likeness === null ? '' : `${Math.round(likeness * 100)} %`),
    Since: ({ created_at }) => time(created_at),
    Seconds: ({ created_at, finished_at }) =>
      finished_at === null
        ? ''
        : ((finished_at.getTime() - created_at.getTime()) / 1_000).toFixed(1),
  })
}

async function findSelfies(
  { context }: OperatorCall,
  { offset, limit }: { offset: number; limit: number },
) {
  const newest = (state: 'running' | 'done' | 'failed') =>
    context.database
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
      .limit(offset + limit)
      .execute()
  // Each state has an index of its own, by its own time.
  const found = await Promise.all([newest('running'), newest('done'), newest('failed')])
  return found
    .flat()
    .toSorted((one, other) => other.created_at.getTime() - one.created_at.getTime())
    .slice(offset, offset + limit)
}
