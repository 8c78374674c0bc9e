import { creditsText } from '@starside/contract/fill.ts'
import { parseArgs } from 'node:util'
import { orderStatuses } from '@starside/contract/order-statuses.ts'
import { normaliseEmail } from '../auth/mailbox.ts'
import { listOpenFlags, listOrders, readOrderFile } from '../orders/operator-queries.ts'
import { receiptQueue } from '../orders/payments.ts'
import { resolveFlag } from '../orders/raise-flag.ts'
import { refundByOperator, settleByOperator } from '../orders/settle-by-operator.ts'
import type { OperatorOutcome } from '../orders/settle-by-operator.ts'
import type { AdminCommands, AdminParts } from './admin-command.ts'
import { withJobQueue } from './with-job-queue.ts'

export const orderCommands: AdminCommands = {
  'orders list': {
    readsOnly: true,
    usage: '[--flagged] [--status STATUS] [--email EMAIL] [--limit NUMBER]',
    help: 'lists orders, newest first, with what needs a decision',
    run: printOrders,
  },
  'orders show': {
    readsOnly: true,
    usage: 'ORDER_ID',
    help: 'shows an order with its payments, history, flags and ledger entries',
    run: showOrder,
  },
  'orders settle': {
    usage: 'ORDER_ID --reason TEXT',
    help: 'credits an order on your word, for money the provider can’t report',
    run: settleOrder,
  },
  'orders refund': {
    usage: 'ORDER_ID --reason TEXT',
    help: 'takes the credits of an order back, spent ones stay owed; send the money yourself',
    run: refundOrder,
  },
  'flag list': {
    readsOnly: true,
    usage: '',
    help: 'lists what needs a decision, oldest first',
    run: printFlags,
  },
  'flag resolve': {
    usage: 'FLAG_ID --reason TEXT',
    help: 'marks a flag as decided',
    run: closeFlag,
  },
}

const linesMax = 1_000

async function printOrders({ database, print }: AdminParts, words: string[]): Promise<number> {
  const { values } = parseArgs({
    args: words,
    options: {
      flagged: { type: 'boolean', default: false },
      status: { type: 'string' },
      email: { type: 'string' },
      limit: { type: 'string', default: '50' },
    },
  })
  const status = orderStatuses.find((known) => known === values.status)
  if (values.status !== undefined && status === undefined) {
    print(`The status is one of ${orderStatuses.join(', ')}.`)
    return 2
  }
  const limit = Number(values.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > linesMax) {
    print(`The limit is a whole number from 1 to ${linesMax}.`)
    return 2
  }
  const orders = await listOrders(database, {
    status,
    limit,
    onlyFlagged: values.flagged,
    email: values.email === undefined ? undefined : normaliseEmail(values.email),
  })
  for (const row of orders) {
    print(
      [
        row.id,
        row.created_at.toISOString(),
        row.status.padEnd(10),
        dollars(row.price_cents).padStart(7),
        row.provider.padEnd(11),
        row.email ?? '(deleted)',
        row.flags.length === 0 ? '' : `! ${[...new Set(row.flags)].join(', ')}`,
      ].join('  '),
    )
  }
  print(`${orders.length} orders.`)
  return 0
}

async function showOrder({ database, print }: AdminParts, words: string[]): Promise<number> {
  const file = await readOrderFile(database, words[0] ?? '')
  if (file === undefined) {
    print('There is no such order.')
    return 1
  }
  const { order, payments, events, flags, entries } = file
  print(`Order ${order.id}: ${order.status}${order.paid_late ? ', paid late' : ''}`)
  print(`  buyer     ${order.email ?? '(deleted)'} ${order.user_id ?? ''}`)
  print(
    `  package   ${order.package_type}, ${dollars(order.price_cents)}, ${creditsText(order.credits)}`,
  )
  print(`  provider  ${order.provider}, invoice ${order.invoice_id ?? 'none'}`)
  print(`  created   ${order.created_at.toISOString()}`)
  print(`  credited  ${order.credited_at?.toISOString() ?? 'no'}`)
  if (order.reversed_at !== null) print(`  reversed  ${order.reversed_at.toISOString()}`)
  const { missing, worthCredits } = order.underpayment ?? {}
  if (missing) print(`  missing   ${missing.amount} ${missing.currency}`)
  if (worthCredits) print(`  worth     ${worthCredits} credits`)
  for (const row of payments) {
    const amounts = `${row.paid_amount ?? '?'} of ${row.pay_amount ?? '?'} ${row.pay_currency ?? ''}`
    const parent = row.parent_payment_id === null ? '' : `, after ${row.parent_payment_id}`
    print(
      `  payment   ${row.payment_id}: ${row.provider_status ?? row.state}, ${amounts}${parent}` +
        (row.credited ? ', credited the order' : ''),
    )
  }
  for (const row of events) {
    print(`  ${row.created_at.toISOString()}  ${row.event}  ${row.detail}`)
  }
  for (const row of entries) print(`  entry     ${row.reference}  ${row.reason}  ${row.amount}`)
  for (const row of flags) {
    print(`  flag ${row.id}  ${row.kind}: ${row.note} ${row.resolution ?? '(open)'}`)
  }
  return 0
}

async function settleOrder(parts: AdminParts, words: string[]): Promise<number> {
  const { id, reason } = readIdAndReason(words)
  if (id === undefined || reason === undefined) return printReasonMissing(parts)
  return withJobQueue(parts, receiptQueue, async (jobs) => {
    const result = await settleByOperator(parts.database, {
      orderId: id,
      reason,
      now: parts.clock(),
      enqueueReceipt: (transaction, orderId) =>
        jobs.enqueue(transaction, receiptQueue.name, { orderId }),
    })
    return printOutcome(parts, result, ({ credits }) => `${creditsText(credits)} granted.`)
  })
}

async function refundOrder(parts: AdminParts, words: string[]): Promise<number> {
  const { id, reason } = readIdAndReason(words)
  if (id === undefined || reason === undefined) return printReasonMissing(parts)
  const now = parts.clock()
  const result = await refundByOperator(parts.database, { orderId: id, reason, now })
  return printOutcome(parts, result, ({ credits, owed }) =>
    owed === 0
      ? `${creditsText(credits)} taken back.`
      : `${creditsText(credits)} taken back; the buyer owes ${owed}.`,
  )
}

async function printFlags({ database, print }: AdminParts): Promise<number> {
  const flags = await listOpenFlags(database, linesMax)
  for (const row of flags) {
    const subject = row.order_id ?? `payment ${row.payment_id ?? '?'}`
    print(`${row.id}  ${row.created_at.toISOString()}  ${subject}  ${row.kind}: ${row.note}`)
  }
  print(`${flags.length} open flags.`)
  return 0
}

async function closeFlag(parts: AdminParts, words: string[]): Promise<number> {
  const { id, reason } = readIdAndReason(words)
  if (id === undefined || reason === undefined) return printReasonMissing(parts)
  const isFlagId = /^\d{1,18}$/.test(id)
  const now = parts.clock()
  const isResolved =
    isFlagId && (await resolveFlag(parts.database, { flagId: id, resolution: reason, now }))
  parts.print(isResolved ? 'Resolved.' : 'There is no such open flag.')
  return isResolved ? 0 : 1
}

function readIdAndReason(words: string[]): { id: string | undefined; reason: string | undefined } {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { reason: { type: 'string' } },
  })
  const reason = values.reason?.trim()
  return { id: positionals[0], reason: reason === '' ? undefined : reason }
}

function printReasonMissing({ print }: AdminParts): number {
  print('Say which one, and why: ID --reason TEXT.')
  return 2
}

function printOutcome(
  { print }: AdminParts,
  result: OperatorOutcome,
  sentence: (done: Extract<OperatorOutcome, { outcome: 'done' }>) => string,
): number {
  print(result.outcome === 'done' ? sentence(result) : result.reason)
  return result.outcome === 'done' ? 0 : 1
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}
