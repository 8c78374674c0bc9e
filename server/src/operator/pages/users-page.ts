import texts from '@starside/contract/texts/en/dashboard.json' with { type: 'json' }
import { signed } from '@starside/contract/signed.ts'
import { deviceName } from '@starside/contract/device-name.ts'
import { html } from '../../platform/http/html.ts'
import { actForms } from '../act.ts'
import { actForm } from '../act-form.ts'
import {
  suspendUser,
  unsuspendUser,
  deleteUser,
  grantCredits,
  takeCredits,
} from '../acts/user-acts.ts'
import { OperatorError, type OperatorCall, type PageBody } from '../operator-page.ts'
import { searchFields } from '../form-fields.ts'
import { findUsers, findNamed, findUser } from '../find-user.ts'
import { listPage, searchOf, time, facts, listTable } from '../tables.ts'
import { orderColumns } from './orders-page.ts'
import { selfiePicture, selfieColumns } from './selfie-columns.ts'
import { listSessions } from '../../accounts/auth/session.ts'
import { readAccount } from '../../ledger/credits/account.ts'
import { readCreditHistory } from '../../ledger/credits/queries.ts'
import { listGenerations } from '../../selfies/queries.ts'
import { listOwnOrders } from '../../payments/queries.ts'
import { logOpening } from '../operator-log.ts'
import { exportForOperator } from '../../trust/user/export-my-data.ts'

const rowsMax = 50

export const usersPage: PageBody = {
  async show(call) {
    const hasGuests = call.query['guests'] === 'on'
    const guests = { name: 'guests', label: 'Guests of events, too', isTicked: hasGuests }
    const label = 'Email, name, account, order id, picture address or request id'
    const { search, searchForm } = searchOf(call, label, searchFields.checkbox(guests))
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
      (page) => findUsers(call.context.database, { search, hasGuests }, page),
      'Nobody has registered yet.',
      {
        Email: ({ id, email, guest_of }) =>
          html`<a href="/admin/users/${id}">${guest_of === null ? email : 'Guest of an event'}</a>`,
        'Newest selfie': ({ selfie }) => selfiePicture(call, selfie),
        Name: ({ username }) => username,
        Status: ({ status }) =>
          status === 'suspended' ? html`<span class="bad">suspended</span>` : 'active',
        Credits: ({ owed, balance }) => (owed > 0 ? `owes ${owed}` : balance),
        Bought: ({ bought_total }) => bought_total,
        Since: ({ created_at }) => time(created_at),
        Actions: ({ id, status }) =>
          actForm(call, status === 'suspended' ? unsuspendUser : suspendUser, { id }, { row: id }),
      },
      rowsMax,
    )}`
  },
  forms: actForms(suspendUser, unsuspendUser),
}

export const userPage: PageBody = {
  async show(call) {
    const { database } = call.context
    const user = await findUser(database, call.params['id'] ?? '')
    if (user === undefined) return undefined
    const account = await readAccount(database, user.id)
    const newest = { userId: user.id, after: undefined, limit: rowsMax }
    const history = await readCreditHistory(database, newest)
    const isSuspended = user.status === 'suspended'
    const body = html`${facts([
        ['Email', `${user.email}${user.email_confirmed_at === null ? '' : ' (confirmed)'}`],
        ['Status', isSuspended ? html`<span class="bad">suspended</span>` : 'active'],
        ['Credits', account.owed > 0 ? `owes ${account.owed}` : account.balance],
        ['Ever bought', account.boughtTotal],
        ['Referral code', user.referral_code],
        ['Since', time(user.created_at)],
        ['Account', html`<code>${user.id}</code>`],
      ])}
      <h2>Actions</h2>
      <div class="acts">
        ${actForm(call, grantCredits)} ${actForm(call, takeCredits)}
        ${actForm(call, isSuspended ? unsuspendUser : suspendUser)} ${actForm(call, deleteUser)}
        ${call.may('export users') && html`<a class="button" href="${call.path}/data.json">Export their data</a>`}
      </div>
      ${await showOrders(call, user)}
      <h2>Ledger</h2>
      ${listTable(history, 'No credit has come or gone.', {
        When: ({ at }) => time(at),
        Reason: ({ reason }) => texts.reasons[reason],
        Credits: ({ amount }) => signed(amount),
        Description: ({ description }) => description,
      })}
      <h2>Selfies</h2>
      ${listTable(await listGenerations(database, newest), 'No selfies yet.', selfieColumns(call))}
      ${call.may('see sessions') && (await showSessions(call, user))}`
    return { name: user.username, body }
  },
  forms: actForms(grantCredits, takeCredits, suspendUser, unsuspendUser, deleteUser),
  downloads: {
    'data.json': {
      right: 'export users',
      async send(call, reply) {
        const user = await findUser(call.context.database, call.params['id'] ?? '')
        if (user === undefined) throw new OperatorError(404, 'There is no such account.')
        await logOpening(call, 'user export', user.id)
        return reply
          .header('content-disposition', 'attachment; filename="data.json"')
          .send(await exportForOperator(call.context, asked(user)))
      },
    },
  },
}

/** The user as they would ask for their own data, in none of their sessions. */
const asked = ({ id }: { id: string }) => ({ userId: id, sessionId: '' })

async function showOrders(call: OperatorCall, { id }: { id: string }) {
  if (!call.may('see orders')) return false
  const orders = await listOwnOrders(call.context.database, { userId: id, limit: rowsMax })
  return html`<h2>Orders</h2>
    ${listTable(orders, 'They have bought nothing.', {
      ...orderColumns,
      Package: ({ package_type }) => package_type,
    })}`
}

async function showSessions({ context }: OperatorCall, user: { id: string }) {
  const sessions = await listSessions(context.database, asked(user), context.clock())
  return html`<h2>Sessions</h2>
    ${listTable(sessions, 'They are signed in nowhere.', {
      Since: ({ createdAt }) => time(new Date(createdAt)),
      Address: ({ address }) => address,
      Browser: ({ userAgent }) => deviceName(userAgent) ?? userAgent,
    })}`
}
