import { z } from 'zod'
import { listSessions } from '../../auth/queries.ts'
import { readAccount } from '../../credits/account.ts'
import { correctBalance } from '../../credits/correct.ts'
import { readCreditHistory } from '../../credits/queries.ts'
import { isUuid } from '../../db/uuid.ts'
import { listGenerations } from '../../generation/queries.ts'
import { readPictureFile } from '../../generation/serve-picture.ts'
import { html } from '../../http/html.ts'
import type { Html } from '../../http/html.ts'
import { listOwnOrders } from '../../orders/queries.ts'
import { setSuspension } from '../../reports/suspend-user.ts'
import { deleteAccount } from '../../user/delete-account.ts'
import { exportMyData } from '../../user/export-my-data.ts'
import { AdminError } from '../admin-error.ts'
import { defineForm } from '../admin-page.ts'
import type { AdminCall, AdminForm, AdminPage } from '../admin-page.ts'
import { foldedForm } from '../form-fields.ts'
import type { Fields } from '../form-fields.ts'
import { beginLogRow, completeLogRow } from '../operator-log.ts'
import { reasonField } from '../reason-field.ts'
import { dollars, facts, table, time } from '../tables.ts'

const rowsMax = 50
const creditsMax = 100_000
const path = '/admin/users/:id'

const wholeCredits = z
  .string()
  .trim()
  .regex(/^\d{1,6}$/, 'A whole number.')
  .transform(Number)
  .pipe(z.number().min(1, 'At least one.').max(creditsMax, 'At most 100,000.'))

/** One person: account, ledger, orders, selfies, sessions, and what may be done. */
export const personPage: AdminPage = {
  path,
  title: 'Person',
  act: 'see people',
  show: showPerson,
  forms: {
    grant: creditForm('grant credits', 1),
    take: creditForm('correct credits', -1),
    suspend: suspensionForm(true),
    unsuspend: suspensionForm(false),
    delete: defineForm({
      act: 'delete people',
      fields: z.object({ email: z.string().max(300), reason: reasonField }),
      async submit(call, { email, reason }) {
        const person = await findPerson(call)
        if (person === undefined) return { refused: 'There is no such account.' }
        if (email.trim().toLowerCase() !== person.email) {
          const problems = { email: 'This is not the e-mail of the account.' }
          return { refused: 'Nothing was deleted.', problems }
        }
        await deleteAccount(call.context, person.id)
        const done = 'The account and its pictures are deleted.'
        return { done, to: '/admin/users', log: { subject: person.id, reason } }
      },
    }),
  },
  downloads: {
    'data.json': {
      act: 'export people',
      async send(call, reply) {
        const person = await findPerson(call)
        if (person === undefined) throw new AdminError(404, 'There is no such account.')
        await logOpening(call, 'Person: export', person.id)
        return reply
          .header('content-disposition', 'attachment; filename="data.json"')
          .send(await exportMyData(call.context, { ...signedInAs(person), sessionId: '' }))
      },
    },
    thumbnail: {
      act: 'open pictures',
      async send(call, reply) {
        const selfies = await listSelfies(call)
        const row = selfies.find(({ id }) => id === call.query['selfie'])
        if (row === undefined || row.state !== 'done') {
          throw new AdminError(404, 'There is no such picture.')
        }
        await logOpening(call, 'Person: picture', row.id)
        return reply
          .type('image/jpeg')
          .send(await readPictureFile(call.context, row, 'thumbnail.jpg'))
      },
    },
  },
}

/** Opening what is private is logged. */
async function logOpening({ context, operator }: AdminCall, act: string, subject: string) {
  const row = await beginLogRow(context, { operator, act, subject })
  await completeLogRow(context.database, row, { outcome: 'done' })
}

function creditForm(act: 'grant credits' | 'correct credits', sign: 1 | -1): AdminForm {
  return defineForm({
    act,
    fields: z.object({ credits: wholeCredits, reason: reasonField, once: z.uuid() }),
    async submit(call, { credits, reason, once }) {
      const { database, clock } = call.context
      const person = await findPerson(call)
      if (person === undefined) return { refused: 'There is no such account.' }
      const before = (await readAccount(database, person.id)).balance
      const result = await correctBalance(database, {
        userId: person.id,
        amount: sign * credits,
        description: reason,
        // Of this form as it was shown: sent twice, it moves once.
        reference: `operator:${once}`,
        now: clock(),
      })
      const moved = result.outcome === 'corrected' ? Math.abs(result.moved) : 0
      const done = `${moved} credits were ${sign === 1 ? 'given' : 'taken'}; the balance is ${result.balance}.`
      return { done, log: { subject: person.id, reason, before, after: result.balance } }
    },
  })
}

function suspensionForm(suspended: boolean): AdminForm {
  return defineForm({
    act: 'suspend people',
    fields: z.object({ reason: reasonField }),
    async submit(call, { reason }) {
      const person = await findPerson(call)
      const email = person?.email ?? ''
      const changed = await setSuspension(call.context, { email, reason, suspended })
      if (changed === undefined) return { refused: 'There is nothing to change.' }
      const done = suspended ? 'The account is suspended.' : 'The account is open again.'
      return { done, log: { subject: changed, reason } }
    },
  })
}

async function findPerson({ context, params }: AdminCall) {
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

function signedInAs(person: Person) {
  return {
    userId: person.id,
    email: person.email,
    username: person.username,
    referralCode: person.referral_code,
    createdAt: person.created_at,
  }
}

function listSelfies({ context, params }: AdminCall) {
  const userId = params['id'] ?? ''
  return listGenerations(context.database, { userId, after: undefined, limit: rowsMax })
}

async function showPerson(call: AdminCall): Promise<Html | undefined> {
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
