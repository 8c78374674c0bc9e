import { html } from '../../platform/http/html.ts'
import texts from '@starside/contract/texts/en/dashboard.json' with { type: 'json' }
import { coinName } from '@starside/contract/coin-names.ts'
import { orderStatuses } from '@starside/contract/order-statuses.ts'
import { listOpenFlags, listOrders, readOrderFile } from '../../payments/operator-queries.ts'
import { actForms, type Act } from '../act.ts'
import { actForm } from '../act-form.ts'
import { resolveFlagAct, creditWorthAct, refundOrder, settleOrder } from '../acts/order-acts.ts'
import type { OperatorCall, PageBody } from '../operator-page.ts'
import { searchFields } from '../form-fields.ts'
import {
  facts,
  listPage,
  listTable,
  pageRowsMax,
  priceOf,
  providerTitle,
  searchOf,
  time,
} from '../tables.ts'
import type { Columns } from '../tables.ts'
import { creditsText } from '@starside/contract/fill.ts'
import { isOrderId } from '../../payments/order-id.ts'

export const ordersPage: PageBody = {
  async show(call) {
    const { database } = call.context
    const known = orderStatuses.find((one) => one === call.query['status'])
    const words = orderStatuses.map((one) => [one, texts.statuses[one].word] as const)
    const options = [['', 'all'] as const, ...words]
    const choice = { name: 'status', label: 'Status', value: known ?? '', options }
    const { search, searchForm } = searchOf(call, 'Buyer’s email', searchFields.select(choice))
    const by = { status: known, email: search.toLowerCase() || undefined, onlyFlagged: false }
    return html`<h2>Payments to review</h2>
      ${listTable(await listOpenFlags(database, pageRowsMax), 'No payment needs you.', {
        Flag: ({ kind }) => html`<span class="bad">${wordsOf(kind)}</span>`,
        Order: ({ order_id: id }) => id !== null && html`<a href="/admin/orders/${id}">${id}</a>`,
        Payment: ({ payment_id }) => html`<code>${payment_id}</code>`,
        'What happened': ({ note }) => note,
        Since: ({ created_at }) => time(created_at),
        Actions: ({ id }) => actForm(call, resolveFlagAct, { id }, { row: id }),
      })}
      <h2>Orders</h2>
      ${searchForm}
      ${await listPage(call, (page) => listOrders(database, { ...by, ...page }), 'None yet.', {
        ...orderColumns,
        Buyer: ({ email }) => email ?? 'deleted',
        Provider: ({ provider }) => providerTitle(provider),
        'To review': ({ flags }) => html`<span class="bad">${wordsOf(flags.join(', '))}</span>`,
      })}`
  },
  forms: actForms(resolveFlagAct),
}

export const orderPage: PageBody = {
  async show(call) {
    const id = call.params['id'] ?? ''
    const file = isOrderId(id) ? await readOrderFile(call.context.database, id) : undefined
    if (file === undefined) return undefined
    const { order, payments } = file
    const missing = order.underpayment?.missing ?? null
    const user =
      order.user_id === null
        ? 'deleted'
        : html`<a href="/admin/users/${order.user_id}">${order.email}</a>`
    const granted =
      order.credits_granted === null ? '' : `, of which ${order.credits_granted} granted`
    const body = html`${facts([
        ['User', user],
        [
          'Package',
          `${order.package_type}: ${priceOf(order)}, ${creditsText(order.credits)}${granted}`,
        ],
        ['Status', html`${orderColumns.Status(order)}${order.paid_late && ', paid late'}`],
        ['Provider', `${providerTitle(order.provider)}, invoice ${order.invoice_id ?? 'none'}`],
        ['Missing', missing !== null && `${missing.amount} ${coinName(missing.currency)}`],
        ['Credited', time(order.credited_at)],
        ['Taken back', time(order.reversed_at)],
      ])}
      <h2>Actions</h2>
      <div class="acts">${actsOn(call, order)}</div>
      <h2>Payments</h2>
      ${listTable(payments, 'No payment has come yet.', {
        Payment: ({ payment_id }) => html`<code>${payment_id}</code>`,
        Status: ({ provider_status, state }) => wordsOf(provider_status ?? state),
        Received: ({ paid_amount }) => paid_amount,
        Confirmed: ({ settled_amount }) => settled_amount,
        Due: ({ pay_amount }) => pay_amount,
        Coin: ({ pay_currency }) => coinName(pay_currency ?? ''),
        Credited: ({ credited }) => (credited ? 'yes' : ''),
      })}
      <h2>Timeline</h2>
      ${listTable(timelineOf(file), '', {
        When: ({ at }) => time(at),
        What: ({ what }) => what,
        // A payment's begins with the provider's name of its status.
        Detail: ({ detail }) => detail.replace(/^[a-z_]+(?=,)/, wordsOf),
      })}`
    return { name: order.id, body }
  },
  forms: actForms(creditWorthAct, settleOrder, refundOrder),
}

/** What lists show of orders; the status in the words that buyers read, itself in the title. */
export const orderColumns = {
  Order: ({ id }) => html`<a href="/admin/orders/${id}">${id}</a>`,
  Price: priceOf,
  Credits: ({ credits_granted, credits }) => credits_granted ?? credits,
  Status: ({ status }) => html`<span title="${status}">${texts.statuses[status].word}</span>`,
  When: ({ created_at }) => time(created_at),
} satisfies Columns<Omit<Order, 'email' | 'underpayment'>>

/** A name of the database or of a provider, as people write it. */
const wordsOf = (name: string) => name.replaceAll('_', ' ')

type OrderFile = NonNullable<Awaited<ReturnType<typeof readOrderFile>>>
type Order = OrderFile['order']

function timelineOf({ order, events, flags, entries }: OrderFile) {
  return [
    { at: order.created_at, what: 'ordered', detail: '' },
    ...events.map((event) => ({ at: event.created_at, what: event.event, detail: event.detail })),
    ...entries.map((entry) => ({
      at: entry.created_at,
      // An order's correction is its refund: a flag says what was taken, and what stays owed.
      what: entry.reason === 'correction' ? 'credits due back' : 'credits added',
      detail: `${creditsText(entry.amount)}, ${entry.reference}`,
    })),
    ...flags.map(({ created_at: at, kind, note }) => ({
      at,
      what: `to review: ${wordsOf(kind)}`,
      detail: note,
    })),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime())
}

function actsOn(call: OperatorCall, order: Order) {
  const worth = order.underpayment?.worthCredits ?? 0
  const isOpen = order.credited_at === null && order.user_id !== null
  const buttonOf = ({ button }: Act, credits: number) => ({
    button: `${button}: ${creditsText(credits)}`,
  })
  const shown = [
    isOpen && worth > 0 && actForm(call, creditWorthAct, {}, buttonOf(creditWorthAct, worth)),
    isOpen && actForm(call, settleOrder, {}, buttonOf(settleOrder, order.credits)),
    order.credited_at !== null && order.reversed_at === null && actForm(call, refundOrder),
  ]
  return shown.some(Boolean) ? html`${shown}` : html`<p>This order is closed.</p>`
}
