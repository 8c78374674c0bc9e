import { creditsText } from '@starside/contract/fill.ts'
import { z } from 'zod'
import { html } from '../../http/html.ts'
import type { Html } from '../../http/html.ts'
import { creditWorth } from '../../orders/credit-worth.ts'
import { readOrderFile } from '../../orders/operator-queries.ts'
import { isOrderId } from '../../orders/order-id.ts'
import { refundByOperator, settleByOperator } from '../../orders/settle-by-operator.ts'
import { defineForm } from '../admin-page.ts'
import type { AdminCall, AdminPage, FormOutcome } from '../admin-page.ts'
import { foldedForm } from '../form-fields.ts'
import type { Fields } from '../form-fields.ts'
import { reasonField } from '../reason-field.ts'
import { dollars, facts, table, time } from '../tables.ts'

const fields = z.object({ reason: reasonField })

/** One order: what was agreed, its timeline, and what may be done with it. */
export const orderPage: AdminPage = {
  path: '/admin/orders/:id',
  title: 'Order',
  act: 'see orders',
  show: showOrder,
  forms: {
    'credit-worth': defineForm({
      act: 'credit orders',
      fields,
      async submit(call, { reason }) {
        const result = await creditWorth(call.context.database, {
          ...decision(call, `${reason} (${call.operator.name})`),
          userId: undefined,
          enqueueReceipt: call.context.payments.enqueueReceipt,
        })
        if (result.outcome === 'refused') return { refused: result.reason }
        return done(call, reason, `${creditsText(result.credits)} granted.`)
      },
    }),
    settle: defineForm({
      act: 'credit orders',
      fields,
      async submit(call, { reason }) {
        const result = await settleByOperator(call.context.database, {
          ...decision(call, reason),
          enqueueReceipt: call.context.payments.enqueueReceipt,
        })
        if (result.outcome === 'refused') return { refused: result.reason }
        return done(call, reason, `${creditsText(result.credits)} granted.`)
      },
    }),
    refund: defineForm({
      act: 'refund orders',
      fields,
      async submit(call, { reason }) {
        const result = await refundByOperator(call.context.database, decision(call, reason))
        if (result.outcome === 'refused') return { refused: result.reason }
        const owed = result.owed === 0 ? '' : `; the buyer owes ${result.owed}`
        return done(call, reason, `${creditsText(result.credits)} taken back${owed}.`)
      },
    }),
  },
}

function decision({ params, context }: AdminCall, reason: string) {
  return { orderId: params['id'] ?? '', reason, now: context.clock() }
}

function done({ params }: AdminCall, reason: string, sentence: string): FormOutcome {
  return { done: sentence, log: { subject: params['id'] ?? '', reason, after: sentence } }
}

async function showOrder(call: AdminCall): Promise<Html | undefined> {
  const id = call.params['id'] ?? ''
  const file = isOrderId(id) ? await readOrderFile(call.context.database, id) : undefined
  if (file === undefined) return undefined
  const { order, payments } = file
  const missing = order.underpayment?.missing ?? null
  const buyer =
    order.user_id === null
      ? 'deleted'
      : html`<a href="/admin/users/${order.user_id}">${order.email}</a>`
  const granted =
    order.credits_granted === null ? '' : `, of which ${order.credits_granted} granted`
  return html`${facts([
      ['Order', html`<code>${order.id}</code>`],
      ['Buyer', buyer],
      [
        'Package',
        `${order.package_type}: ${dollars(order.price_cents)}, ${creditsText(order.credits)}${granted}`,
      ],
      ['Status', `${order.status}${order.paid_late ? ', paid late' : ''}`],
      ['Provider', `${order.provider}, invoice ${order.invoice_id ?? 'none'}`],
      ['Missing', missing === null ? '' : `${missing.amount} ${missing.currency}`],
      ['Credited', time(order.credited_at)],
      ['Taken back', time(order.reversed_at)],
    ])}
    <h2>What may be done</h2>
    <div class="acts">${actsOn(call, order)}</div>
    <h2>Payments</h2>
    ${table(
      ['Payment', 'Status', 'Came', 'For good', 'Of', 'Coin', 'Credited'],
      payments.map((row) => [
        html`<code>${row.payment_id}</code>`,
        row.provider_status ?? row.state,
        row.paid_amount,
        row.settled_amount,
        row.pay_amount,
        row.pay_currency,
        row.credited ? 'yes' : '',
      ]),
    )}
    <h2>Timeline</h2>
    ${table(
      ['When', 'What', ''],
      timelineOf(file).map(({ at, what, detail }) => [time(at), what, detail]),
    )}`
}

type OrderFile = NonNullable<Awaited<ReturnType<typeof readOrderFile>>>
type Order = OrderFile['order']

function timelineOf({ order, events, flags, entries }: OrderFile) {
  return [
    { at: order.created_at, what: 'ordered', detail: '' },
    ...events.map((event) => ({ at: event.created_at, what: event.event, detail: event.detail })),
    ...entries.map((entry) => ({
      at: entry.created_at,
      what: `ledger: ${entry.reason}`,
      detail: `${creditsText(entry.amount)}, ${entry.reference}`,
    })),
    ...flags.map((flag) => ({
      at: flag.created_at,
      what: `flag: ${flag.kind}`,
      detail: flag.note,
    })),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime())
}

function actsOn(call: AdminCall, order: Order): Html {
  const reason = (field: Fields) =>
    field.text({ name: 'reason', label: 'Reason', isRequired: true, lengthMax: 500 })
  const worth = order.underpayment?.worthCredits ?? 0
  const isOpen = order.credited_at === null
  const mayRefund = call.may('refund orders') && !isOpen && order.reversed_at === null
  const mayCredit = call.may('credit orders') && isOpen && order.user_id !== null
  if (!mayRefund && !mayCredit) return html`<p>Nothing.</p>`
  return html`${
    mayCredit &&
    worth > 0 &&
    foldedForm(call, 'credit-worth', reason, {
      button: `Credit what it is worth: ${creditsText(worth)}`,
    })
  }
  ${mayCredit && foldedForm(call, 'settle', reason, { button: `Credit all: ${creditsText(order.credits)}` })}
  ${
    mayRefund &&
    foldedForm(call, 'refund', reason, {
      button: 'Take the credits back after a refund',
      isDangerous: true,
    })
  }`
}
