import { creditsText } from '@starside/contract/fill.ts'
import { z } from 'zod'
import { creditWorth } from '../../payments/credit-worth.ts'
import type { EnqueueReceipt } from '../../payments/credit-order.ts'
import { receiptQueue } from '../../payments/payments.ts'
import { resolveFlag } from '../../payments/raise-flag.ts'
import { refundByOperator, settleByOperator } from '../../payments/settle-by-operator.ts'
import { defineAct } from '../act.ts'
import type { ActOutcome, ActParts } from '../act.ts'
import { reasonField, reasonSchema } from './reason.ts'

const schema = z.object({ id: z.string('Say which order.'), reason: reasonSchema })
const fields = { id: { label: 'Order', place: 'ORDER_ID' }, reason: reasonField }
type Input = z.output<typeof schema>

function decision({ clock, jobs }: ActParts, { id, reason }: Input) {
  return {
    orderId: id,
    reason,
    now: clock(),
    enqueueReceipt: ((transaction, orderId) =>
      jobs.enqueue(transaction, receiptQueue.name, { orderId })) satisfies EnqueueReceipt,
  }
}

function granted(
  result:
    | { outcome: 'refused'; reason: string }
    | { outcome: 'done' | 'credited'; credits: number },
): ActOutcome {
  if (result.outcome === 'refused') return { refused: result.reason }
  const done = `${creditsText(result.credits)} granted.`
  return { done, log: { after: done } }
}

export const creditWorthAct = defineAct({
  name: 'orders credit-worth',
  right: 'credit orders',
  help: 'credits an order by what came of its price, for the buyer who pays no more',
  button: 'Credit what it is worth',
  fields,
  schema,
  run: async (parts, input) =>
    granted(
      await creditWorth(parts.database, {
        ...decision(parts, { ...input, reason: `${input.reason} (${parts.operatorName})` }),
        userId: undefined,
      }),
    ),
})

export const settleOrder = defineAct({
  name: 'orders settle',
  right: 'credit orders',
  help: 'credits an order on your word, for money the provider can’t report',
  button: 'Credit all',
  fields,
  schema,
  run: async (parts, input) =>
    granted(await settleByOperator(parts.database, decision(parts, input))),
})

export const refundOrder = defineAct({
  name: 'orders refund',
  right: 'refund orders',
  help: 'takes the credits of an order back, spent ones stay owed; send the money yourself',
  button: 'Take the credits back after a refund',
  warning: 'This sends no money back: do that at the payment provider first.',
  fields,
  schema,
  async run(parts, input) {
    const result = await refundByOperator(parts.database, decision(parts, input))
    if (result.outcome === 'refused') return { refused: result.reason }
    const owed = result.owed === 0 ? '' : `; the buyer owes ${result.owed}`
    const done = `${creditsText(result.credits)} taken back${owed}.`
    return { done, log: { after: done } }
  },
})

export const resolveFlagAct = defineAct({
  name: 'flag resolve',
  right: 'resolve flags',
  help: 'marks a flag of a payment as decided',
  button: 'Resolve',
  fields: {
    id: { label: 'Flag', place: 'FLAG_ID' },
    reason: { ...reasonField, label: 'What was done' },
  },
  schema: z.object({ id: z.string(), reason: reasonSchema }),
  async run({ database, clock }, { id: flagId, reason }) {
    const isDone =
      /^\d{1,18}$/.test(flagId) &&
      (await resolveFlag(database, { flagId, resolution: reason, now: clock() }))
    return isDone ? { done: 'Resolved.' } : { refused: 'There is no such open flag.' }
  },
})
