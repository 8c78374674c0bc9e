import type { CallbackOptions, Callbacks } from './callbacks.ts'
import type { Clock } from './gateway.ts'
import { GatewayError, actionsByStatus, roundTo } from './payments.ts'
import type { Action, Payment, PaymentStatus, Payments } from './payments.ts'

export interface ActOptions extends CallbackOptions {
  /** Milliseconds between two statuses. */
  stepDelayMs: number
  /** The last status to reach; all of them when null. */
  stopAt: PaymentStatus | null
  /** The share of the amount that 'underpay' and 'overpay' send. */
  share: number | null
  /** For 'resend': the status to send instead of the present one, as a late copy would. */
  status: PaymentStatus | null
}

export type Buyer = ReturnType<typeof createBuyer>

/** Plays the buyer, the chain and the provider. */
export function createBuyer(parts: {
  payments: Payments
  callbacks: Callbacks
  clock: Clock
  signal: AbortSignal
}) {
  const { payments, callbacks, clock, signal } = parts
  const moving = new Map<number, Promise<void>>()

  async function walk(id: number, steps: readonly Step[], options: ActOptions): Promise<void> {
    for (const [index, { status, deposit }] of steps.entries()) {
      await clock.sleep(options.stepDelayMs, signal)
      if (signal.aborted) return
      const before = payments.find(String(id))
      const payment: Payment = {
        ...before,
        payment_status: status,
        actually_paid: roundTo(before.pay_currency, before.actually_paid + deposit),
        updated_at: Math.max(clock.now(), before.updated_at + 1),
      }
      payments.update(payment)
      callbacks.send(payment, options, (steps.length - 1 - index) * options.stepDelayMs)
    }
  }

  /** The actions that make sense now; only a repetition while statuses are still to come. */
  const possibleActions = (payment: Payment): readonly Action[] =>
    moving.has(payment.payment_id) ? ['resend'] : actionsByStatus[payment.payment_status]

  return {
    possibleActions,
    /**
     * Carries out `action` and returns the payment it concerns: the given one, or the new one of a
     * repeated or wrong-asset deposit. Throws when the payment's status doesn't allow it.
     */
    act(payment: Payment, action: Action, options: ActOptions): Payment {
      if (!possibleActions(payment).includes(action)) {
        const message = `'${action}' is not possible while the payment is ${payment.payment_status}`
        throw new GatewayError(400, 'BAD_REQUEST', message)
      }
      if (action === 'resend') {
        const status = options.status ?? payment.payment_status
        callbacks.send({ ...payment, payment_status: status }, options, 0)
        return payment
      }
      const concerned = openChildPayment(payments, payment, action) ?? payment
      const { payment_id: id } = concerned
      const work = walk(id, planFor(action, concerned, options), options)
      moving.set(
        id,
        work.finally(() => moving.delete(id)),
      )
      return concerned
    },
    /** True while a payment, or any, has statuses to come. */
    isMoving: (paymentId?: number) =>
      paymentId === undefined ? moving.size > 0 : moving.has(paymentId),
    async whenQuiet() {
      while (moving.size > 0) await Promise.all(moving.values())
    },
  }
}

/** A status to take, and the coins that arrive with it. */
interface Step {
  status: PaymentStatus
  deposit: number
}

const endings: Partial<Record<Action, PaymentStatus>> = {
  fail: 'failed',
  expire: 'expired',
  refund: 'refunded',
}

function planFor(action: Action, payment: Payment, options: ActOptions): Step[] {
  const ending = endings[action]
  if (ending !== undefined) return [{ status: ending, deposit: 0 }]
  const { pay_amount: payAmount, actually_paid: paid, payment_status: status } = payment
  const statuses: PaymentStatus[] =
    action === 'underpay'
      ? ['confirming', 'partially_paid']
      : ['confirming', 'confirmed', 'sending', 'finished']
  if (action === 'pay-late' && status !== 'expired') statuses.unshift('expired')
  const amounts: Partial<Record<Action, number>> = {
    underpay: payAmount * (options.share ?? 0.6),
    overpay: payAmount * (options.share ?? 1.25),
  }
  const amount = amounts[action] ?? Math.max(0, payAmount - paid)
  const last = options.stopAt === null ? -1 : statuses.indexOf(options.stopAt)
  return statuses
    .slice(0, last === -1 ? undefined : last + 1)
    .map((next) => ({ status: next, deposit: next === 'confirming' ? amount : 0 }))
}

/** A second deposit to the same address is a payment of its own that names its parent. */
function openChildPayment(payments: Payments, parent: Payment, action: Action) {
  if (action !== 'deposit-again' && action !== 'wrong-asset') return undefined
  const other = parent.pay_currency === 'trx' ? 'ltc' : 'trx'
  return payments.open(parent, {
    pay_currency: action === 'wrong-asset' ? other : parent.pay_currency,
    invoice_id: parent.invoice_id,
    parent_payment_id: parent.payment_id,
  })
}
