import { listSessions } from '../../auth/queries.ts'
import { readAccount } from '../../credits/account.ts'
import { readCreditHistory } from '../../credits/queries.ts'
import { isUuid } from '../../db/uuid.ts'
import { listGenerations } from '../../generation/queries.ts'
import { html } from '../../http/html.ts'
import type { Html } from '../../http/html.ts'
import { listOwnOrders } from '../../orders/queries.ts'
import type { AdminCall } from '../admin-page.ts'
import { foldedForm } from '../form-fields.ts'
import type { Fields } from '../form-fields.ts'
import { dollars, facts, table, time } from '../tables.ts'

const rowsMax = 50

/** Whose page it is; undefined when there is nobody of that id. */
export async function findPerson({ context, params }: AdminCall) {
  const id = params['id'] ?? ''
  if (!isUuid(id)) return undefined
  return context.database
    .selectFrom('users')
    .select(['id', 'email', 'username', 'status', 'referral_code', 'created_at'])
    .select('email_confirmed_at')
    .where('id', '=', id)
    .executeTakeFirst()
}

type Person = NonNullable<Awaited<ReturnType<typeof findPerson>>>

/** The person as they would ask for their own data. */
export function signedInAs(person: Person) {
  return {
    userId: person.id,
    email: person.email,
    username: person.username,
    referralCode: person.referral_code,
    createdAt: person.created_at,
  }
}

/** The newest selfies of the person whose page it is. */
export function listSelfies({ context, params }: AdminCall) {
  const userId = params['id'] ?? ''
  return listGenerations(context.database, { userId, after: undefined, limit: rowsMax })
}

/** The page below its heading; undefined when there is nobody of that id. */
export async function showPerson(call: AdminCall): Promise<Html | undefined> {
  const person = await findPerson(call)
  if (person === undefined) return undefined
  const { database } = call.context
  const account = await readAccount(database, person.id)
  const history = await readCreditHistory(database, {
    userId: person.id,
    after: undefined,
    limit: rowsMax,
  })
  const isSuspended = person.status === 'suspended'
  return html`${facts([
      ['Email', `${person.email}${person.email_confirmed_at === null ? '' : ' (confirmed)'}`],
      ['Name', person.username],
      ['Status', isSuspended ? html`<span class="bad">suspended</span>` : 'active'],
      ['Credits', account.owed > 0 ? `owes ${account.owed}` : account.balance],
      ['Ever bought', account.boughtTotal],
      ['Referral code', person.referral_code],
      ['Since', time(person.created_at)],
      ['Account', html`<code>${person.id}</code>`],
    ])}
    ${actsOn(call, isSuspended)} ${await showOrders(call, person)}
    <h2>Ledger</h2>
    ${table(
      ['When', 'Reason', 'Credits', 'Description'],
      history.map((line) => [time(line.at), line.reason, line.amount, line.description]),
    )}
    ${await showSelfies(call)} ${call.may('see sessions') && (await showSessions(call, person))}`
}

function actsOn(call: AdminCall, isSuspended: boolean): Html {
  const reason = (fields: Fields) =>
    fields.text({ name: 'reason', label: 'Reason', isRequired: true, lengthMax: 500 })
  const credits = (fields: Fields) =>
    html`${fields.text({ name: 'credits', label: 'Credits', inputMode: 'numeric', isRequired: true })}
    ${reason(fields)} ${fields.hidden('once', crypto.randomUUID())}`
  const suspension = isSuspended ? 'unsuspend' : 'suspend'
  return html`<h2>What may be done</h2>
    <div class="acts">
      ${call.may('grant credits') && foldedForm(call, 'grant', credits, { button: 'Give credits' })}
      ${call.may('correct credits') && foldedForm(call, 'take', credits, { button: 'Take credits', isDangerous: true })}
      ${call.may('suspend people') && foldedForm(call, suspension, reason, { button: isSuspended ? 'Open the account' : 'Suspend', isDangerous: !isSuspended })}
      ${
        call.may('delete people') &&
        foldedForm(
          call,
          'delete',
          (fields) =>
            html`${fields.text({ name: 'email', label: 'Their e-mail, to be sure', isRequired: true })}
            ${reason(fields)}`,
          { button: 'Delete for good', isDangerous: true },
        )
      }
      ${call.may('export people') && html`<a href="${call.path}/data.json">Export their data</a>`}
    </div>`
}

async function showOrders(call: AdminCall, { id }: Person): Promise<Html | false> {
  if (!call.may('see orders')) return false
  const orders = await listOwnOrders(call.context.database, { userId: id, limit: rowsMax })
  return html`<h2>Orders</h2>
    ${table(
      ['Order', 'Package', 'Price', 'Credits', 'Status', 'Since'],
      orders.map((order) => [
        html`<a href="/admin/orders/${order.id}">${order.id}</a>`,
        order.package_type,
        dollars(order.price_cents),
        order.credits_granted ?? order.credits,
        order.status,
        time(order.created_at),
      ]),
    )}`
}

async function showSelfies(call: AdminCall): Promise<Html> {
  const selfies = await listSelfies(call)
  return html`<h2>Selfies</h2>
    ${table(
      ['Selfie', 'Star', 'State', 'Since', ''],
      selfies.map((row) => [
        html`<code>${row.id}</code>`,
        row.celebrity,
        row.state === 'failed' ? html`<span class="bad">${row.error_code}</span>` : row.state,
        time(row.created_at),
        call.may('open pictures') &&
          row.state === 'done' &&
          html`<a href="${call.path}/thumbnail?selfie=${row.id}">Open the picture (is logged)</a>`,
      ]),
    )}`
}

async function showSessions({ context }: AdminCall, person: Person): Promise<Html> {
  const user = { ...signedInAs(person), sessionId: '' }
  const sessions = await listSessions(context.database, user, context.clock())
  return html`<h2>Sessions</h2>
    ${table(
      ['Since', 'Address', 'Browser'],
      sessions.map((session) => [session.createdAt, session.address, session.userAgent]),
    )}`
}
