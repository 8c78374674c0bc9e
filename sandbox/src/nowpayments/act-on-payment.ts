import type { CallbackOptions, Payment, PaymentStatus } from './book.ts'
import { coins, roundTo, usdRate } from './coins.ts'
import { badRequest } from './gateway-error.ts'
import type { GatewayContext } from './gateway.ts'
import { newPaymentId, newPurchaseId } from './make-payment.ts'
import type { PlannedStatus } from './walk-payments.ts'

/** What a tester can let the buyer, the chain or the provider do. */
export const actions = [
  'pay',
  'underpay',
  'overpay',
  'pay-late',
  'pay-rest',
  'fail',
  'expire',
  'refund',
  'deposit-again',
  'wrong-asset',
  'resend',
] as const
export type Action = (typeof actions)[number]

export interface ActOptions extends CallbackOptions {
  /** Milliseconds between two statuses. */
  stepDelayMs: number
  /** The last status to reach; all of them when null. */
  stopAt: PaymentStatus | null
  /** The share of the amount that 'underpay' and 'overpay' send. */
  share: number | null
  /** For 'resend': the status to send instead of the present one, as a late copy would. */
  resendStatus: PaymentStatus | null
}

const possible: Record<PaymentStatus, readonly Action[]> = {
  waiting: ['pay', 'underpay', 'overpay', 'pay-late', 'fail', 'expire', 'resend'],
  confirming: ['fail', 'resend'],
  confirmed: ['fail', 'resend'],
  sending: ['resend'],
  partially_paid: ['pay-rest', 'refund', 'resend'],
  finished: ['deposit-again', 'wrong-asset', 'refund', 'resend'],
  failed: ['resend'],
  refunded: ['resend'],
  expired: ['pay-late', 'resend'],
}

/** The actions that make sense now; only a repetition while statuses are still to come. */
export function possibleActions(context: GatewayContext, payment: Payment): readonly Action[] {
  return context.walker.isMoving(payment.id) ? ['resend'] : possible[payment.status]
}

/**
 * Carries out `action` and returns the payment it concerns: the given one, or the new one of a
 * repeated or wrong-asset deposit. Throws a refusal when the payment's status doesn't allow it.
 */
export function actOnPayment(
  context: GatewayContext,
  payment: Payment,
  action: Action,
  options: ActOptions,
): Payment {
  if (!possibleActions(context, payment).includes(action)) {
    throw badRequest(`'${action}' is not possible while the payment is ${payment.status}`)
  }
  if (action === 'resend') {
    const status = options.resendStatus ?? payment.status
    context.walker.announce({ ...payment, status }, options)
    return payment
  }
  const concerned =
    action === 'deposit-again' || action === 'wrong-asset'
      ? openChildPayment(context, payment, action)
      : payment
  context.walker.plan(concerned.id, planFor(action, concerned, options), options)
  return concerned
}

const settling: readonly PaymentStatus[] = ['confirming', 'confirmed', 'sending', 'finished']

function planFor(action: Action, payment: Payment, options: ActOptions): PlannedStatus[] {
  const afterMs = options.stepDelayMs
  const still = (status: PaymentStatus): PlannedStatus => ({ status, deposit: 0, afterMs })
  const deposit = (amount: number, statuses: readonly PaymentStatus[]): PlannedStatus[] =>
    statuses.map((status, index) => ({
      status,
      deposit: index === 0 ? roundTo(payment.payCurrency, amount) : 0,
      afterMs,
    }))
  const missing = Math.max(0, payment.payAmount - payment.actuallyPaid)
  const until = (plan: PlannedStatus[]) => {
    const last = plan.findIndex((planned) => planned.status === options.stopAt)
    return last === -1 ? plan : plan.slice(0, last + 1)
  }
  switch (action) {
    case 'pay':
    case 'pay-rest':
    case 'deposit-again':
    case 'wrong-asset':
      return until(deposit(missing, settling))
    case 'overpay':
      return until(deposit(payment.payAmount * (options.share ?? 1.25), settling))
    case 'underpay':
      return until(
        deposit(payment.payAmount * (options.share ?? 0.6), ['confirming', 'partially_paid']),
      )
    case 'pay-late': {
      const late = deposit(missing, settling)
      return until(payment.status === 'expired' ? late : [still('expired'), ...late])
    }
    case 'fail':
      return [still('failed')]
    case 'expire':
      return [still('expired')]
    case 'refund':
      return [still('refunded')]
    case 'resend':
      return []
  }
}

/** A second deposit to the same address is a payment of its own that names its parent. */
function openChildPayment(
  context: GatewayContext,
  parent: Payment,
  action: 'deposit-again' | 'wrong-asset',
): Payment {
  const other = coins.find(
    (coin) => coin.code !== parent.payCurrency && coin.address.prefix === addressPrefix(parent),
  )
  const payCurrency =
    action === 'wrong-asset' ? (other?.code ?? parent.payCurrency) : parent.payCurrency
  const usd = parent.payAmount * (usdRate(parent.payCurrency) ?? 1)
  const now = context.clock.now()
  const child: Payment = {
    ...parent,
    id: newPaymentId(context),
    parentPaymentId: parent.id,
    purchaseId: newPurchaseId(context),
    status: 'waiting',
    payCurrency,
    payAmount: roundTo(payCurrency, usd / (usdRate(payCurrency) ?? 1)),
    actuallyPaid: 0,
    payinHash: null,
    payoutHash: null,
    createdAtMs: now,
    updatedAtMs: now,
  }
  context.book.putPayment(child)
  return child
}

function addressPrefix(payment: Payment): string | undefined {
  return coins.find((coin) => coin.code === payment.payCurrency)?.address.prefix
}
