import { creditsText } from '@starside/contract/fill.ts'
import { z } from 'zod'
import { creditWorth, refundByOperator, settleByOperator } from '../../payments/settle-by-word.ts'
import type { CreditWorthOutcome, OperatorOutcome } from '../../payments/settle-by-word.ts'
import type { EnqueueReceipt } from '../../payments/credit-order.ts'
import { receiptQueue } from '../../payments/payments.ts'
import { resolveFlag } from '../../payments/order-records.ts'
import { defineAct, reasonSchema } from '../act.ts'
import type { ActOutcome, ActParts } from '../act.ts'

const schema = z.object({ id: z.string('Say which order.'), reason: reasonSchema })
type Input = z.output<typeof schema>

function decision({ clock, jobs, operatorName }: ActParts, { id, reason }: Input) {
  return {
    orderId: id,
    reason: `${reason} (${operatorName})`,
    now: clock(),
    enqueueReceipt: ((transaction, orderId) =>
      jobs.enqueue(transaction, receiptQueue.name, { orderId })) satisfies EnqueueReceipt,
  }
}

function told(result: OperatorOutcome | CreditWorthOutcome, verb: string): ActOutcome {
  if (result.outcome === 'refused') return { refused: result.reason }
  const owed = 'owed' in result && result.owed > 0 ? `; the buyer owes ${result.owed}` : ''
  const done = `${creditsText(result.credits)} ${verb}${owed}.`
  return { done, log: { after: done } }
}

export const creditWorthAct = defineAct('orders credit-worth', {
  schema,
  run: async (parts, input) =>
    told(
      await creditWorth(parts.database, { ...decision(parts, input), userId: undefined }),
      'granted',
    ),
})

export const settleOrder = defineAct('orders settle', {
  schema,
  run: async (parts, input) =>
    told(await settleByOperator(parts.database, decision(parts, input)), 'granted'),
})

export const refundOrder = defineAct('orders refund', {
  schema,
  run: async (parts, input) =>
    told(await refundByOperator(parts.database, decision(parts, input)), 'taken back'),
})

export const resolveFlagAct = defineAct('flag resolve', {
  schema: z.object({ id: z.string(), reason: reasonSchema }),
  async run({ database, clock }, { id: flagId, reason }) {
    const isDone =
      /^\d{1,18}$/.test(flagId) &&
      (await resolveFlag(database, { flagId, resolution: reason, now: clock() }))
    return isDone ? { done: 'Resolved.' } : { refused: 'There is no such open flag.' }
  },
})
