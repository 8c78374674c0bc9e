import { normaliseEmail } from '../../accounts/auth/mailbox.ts'
import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import { actForms } from '../act.ts'
import { actForm } from '../act-form.ts'
import { suspendUser, unsuspendUser } from '../acts/user-acts.ts'
import type { OperatorCall, OperatorPage } from '../operator-page.ts'
import { findNamed } from '../find-named.ts'
import { listPage, searchOf, time } from '../tables.ts'
import { selfiePicture } from './selfies-page.ts'

export const usersPage: OperatorPage = {
  path: '/admin/users',
  title: 'Users',
  right: 'see users',
  group: 'Users',
  show: showUsers,
  forms: actForms(suspendUser, unsuspendUser),
}

async function showUsers(call: OperatorCall): Promise<Html> {
  const { search, searchForm } = searchOf(
    call,
    'Email, name, account, order id, picture address or request id',
  )
  const found = await findNamed(call, search)
  return html`${searchForm}
  ${
    found !== undefined &&
    html`<p>
      ${found.href === undefined ? found.text : html`<a class="button" href="${found.href}">${found.text}</a>`}
    </p>`
  }
  ${await listPage(
    call,
    (page) => findUsers(call, search, page),
    {
      Email: ({ id, email }) => html`<a href="/admin/users/${id}">${email}</a>`,
      Face: ({ selfie }) => selfiePicture(call, selfie),
      Name: ({ username }) => username,
      Status: ({ status }) =>
        status === 'suspended' ? html`<span class="bad">suspended</span>` : 'active',
      Credits: ({ owed, balance }) => (owed > 0 ? `owes ${owed}` : balance),
      Bought: ({ bought_total }) => bought_total,
      Since: ({ created_at }) => time(created_at),
      Account: ({ id }) => html`<code>${id}</code>`,
      Actions: ({ id, status }) =>
        actForm(call, status === 'suspended' ? unsuspendUser : suspendUser, { id }, { row: id }),
    },
    {
      rowsMax: 50,
      empty: search === '' ? 'Nobody has registered yet.' : 'Nobody was found.',
    },
  )}`
}

function findUsers(
  { context }: OperatorCall,
  search: string,
  { offset, limit }: { offset: number; limit: number },
) {
  return context.database
    .selectFrom('users')
    .innerJoin('credit_accounts', 'credit_accounts.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.username', 'users.status', 'users.created_at'])
    .select(['credit_accounts.balance', 'credit_accounts.owed', 'credit_accounts.bought_total'])
    .select((row) =>
      row
        .selectFrom('generations')
        .select('generations.id')
        .whereRef('user_id', '=', 'users.id')
        .where('state', '=', 'done')
        .where('deleted_at', 'is', null)
        .orderBy('generations.created_at', 'desc')
        .limit(1)
        .as('selfie'),
    )
    .$if(search !== '', (query) =>
      query.where(({ or, eb, cast, ref }) =>
        or([
          eb('users.email', 'like', `${escapeLike(normaliseEmail(search))}%`),
          eb('users.username', 'ilike', `%${escapeLike(search)}%`),
          eb(cast<string>(ref('users.id'), 'text'), '=', search),
        ]),
      ),
    )
    .orderBy('users.created_at', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)
}
