import { z } from 'zod'
import { normaliseEmail } from '../../auth/mailbox.ts'
import { html } from '../../http/html.ts'
import type { Html } from '../../http/html.ts'
import { setSuspension } from '../../reports/suspend-user.ts'
import { defineForm } from '../admin-page.ts'
import type { AdminCall, AdminForm, AdminPage } from '../admin-page.ts'
import { findNamed } from '../find-named.ts'
import { foldedForm } from '../form-fields.ts'
import { reasonField } from '../reason-field.ts'
import { firstRow, pageLinks, pageRowsMax, table, time } from '../tables.ts'

export const peoplePage: AdminPage = {
  path: '/admin/users',
  title: 'People',
  act: 'see people',
  group: 'People',
  show: showPeople,
  forms: { suspend: suspensionForm(true), unsuspend: suspensionForm(false) },
}

function suspensionForm(suspended: boolean): AdminForm {
  return defineForm({
    act: 'suspend people',
    fields: z.object({ email: z.string().max(300), reason: reasonField }),
    async submit({ context }, { email, reason }) {
      const found = await setSuspension(context, { email, reason, suspended })
      if (found === undefined) return { refused: 'There is no such account.' }
      const done = suspended ? `${email} is suspended.` : `${email} is open again.`
      return { done, log: { subject: email, reason } }
    },
  })
}

async function showPeople(call: AdminCall): Promise<Html> {
  const { database } = call.context
  const search = (call.query['q'] ?? '').trim().slice(0, 300)
  const people = await database
    .selectFrom('users')
    .innerJoin('credit_accounts', 'credit_accounts.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.username', 'users.status', 'users.created_at'])
    .select(['credit_accounts.balance', 'credit_accounts.owed', 'credit_accounts.bought_total'])
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
    .offset(firstRow(call))
    .limit(pageRowsMax + 1)
    .execute()
  const found = await findNamed(call, search)
  return html`<form method="get">
      <label
        >Email, name, account, order id, picture address or request id
        <input name="q" value="${search}" maxlength="300"
      /></label>
      <button>Search</button>
    </form>
    ${
      found !== undefined &&
      html`<p>
        ${found.href === undefined ? found.text : html`<a class="button" href="${found.href}">${found.text}</a>`}
      </p>`
    }
    ${table(
      ['Email', 'Name', 'Status', 'Credits', 'Bought', 'Since', 'Account', ''],
      people.slice(0, pageRowsMax).map((person) => {
        const isSuspended = person.status === 'suspended'
        return [
          person.email,
          person.username,
          isSuspended ? html`<span class="bad">suspended</span>` : 'active',
          person.owed > 0 ? `owes ${person.owed}` : person.balance,
          person.bought_total,
          time(person.created_at),
          html`<a href="/admin/users/${person.id}"><code>${person.id}</code></a>`,
          foldedForm(
            call,
            isSuspended ? 'unsuspend' : 'suspend',
            (fields) =>
              html`${fields.hidden('email', person.email)}
              ${fields.text({ name: 'reason', label: 'Reason', isRequired: true, lengthMax: 500 })}`,
            { button: isSuspended ? 'unsuspend' : 'suspend', row: person.id },
          ),
        ]
      }),
    )}
    ${pageLinks(call, { rowsMax: pageRowsMax, hasMore: people.length > pageRowsMax })}`
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)
}
