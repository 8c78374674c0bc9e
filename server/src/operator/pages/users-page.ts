import { html } from '../../platform/http/html.ts'
import type { Html } from '../../platform/http/html.ts'
import { actForms } from '../act.ts'
import { actForm } from '../act-form.ts'
import { suspendUser, unsuspendUser } from '../acts/user-acts.ts'
import type { OperatorCall, OperatorPage } from '../operator-page.ts'
import { findUsers } from '../find-user.ts'
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
    (page) => findUsers(call.context.database, search, page),
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
