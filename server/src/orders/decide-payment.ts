import type { OrderStatus } from '@starside/contract/order-statuses.ts'
import { paymentTimeoutMs } from '@starside/contract/limits.ts'
import type { FlagKind } from './order-tables.ts'
import type { Money, PaymentFacts, PaymentState } from './provider.ts'

/** What of an order the decision needs. */
export interface DecidableOrder {
  id: string
  status: OrderStatus
  price: Money
  createdAt: Date
  isCredited: boolean
  isReversed: boolean
  hasBuyer: boolean
  /** The payment that credited it, if one did. */
  creditedPaymentId: string | null
  /** States of the order's other payments: one that is under way outweighs one that ended. */
  otherStates: readonly PaymentState[]
}

export interface RaisedFlag {
  kind: FlagKind
  note: string
}

/** What a reading of a payment means for its order. */
export interface PaymentDecision {
  /** The order's next status; null leaves it. Never `completed`: that is what `credits` does. */
  status: Exclude<OrderStatus, 'completed'> | null
  /** Grant the credits and complete the order. */
  credits: boolean
  /** Book the credits back. */
  reverses: boolean
  /** Mark that the money came after the time was up. */
  isLate: boolean
  /** Coins still missing; null clears it; undefined leaves it. */
  missing: { amount: number; currency: string } | null | undefined
  flags: RaisedFlag[]
}

/** More than this above the price is told to the operator: half a percent covers rounding. */
const overpaidFrom = 1.005
/**
 * A merchant may let the provider cover small gaps, and it then says `finished`. With less than
 * this share of the amount an operator decides.
 */
const coveredShareMin = 0.9

const nothing: PaymentDecision = {
  status: null,
  credits: false,
  reverses: false,
  isLate: false,
  missing: undefined,
  flags: [],
}

/**
 * Decides, without side effects, what a payment read from the provider means for its order. Only
 * `finished` credits: once, for a first deposit, with the order's own price and currency; whether
 * the order has expired, failed or was cancelled in between doesn't matter.
 */
export function decidePayment(
  order: DecidableOrder,
  facts: PaymentFacts,
  now: Date,
): PaymentDecision {
  if (facts.parentPaymentId !== null) return decideSecondDeposit(facts)
  if (!isSamePrice(facts.price, order.price)) {
    return decideWrongPrice(order, facts)
  }
  if (order.isCredited) return decideAfterCredit(order, facts)
  switch (facts.state) {
    case 'waiting':
      return order.status === 'initiated' ? { ...nothing, status: 'pending' } : nothing
    case 'processing':
      return {
        ...nothing,
        status: 'processing',
        isLate: isLate(order, facts, now),
        missing: missingAmount(facts) === null ? null : undefined,
      }
    case 'partial':
      return decidePartial(order, facts, now)
    case 'finished':
      return decideFinished(order, facts, now)
    case 'failed':
    case 'expired':
    case 'refunded':
      return decideEnd(order, facts, facts.state)
    case 'disputed':
      return disputed(facts)
    case 'unknown':
      return unknownStatus(facts)
  }
}

/** Money that came after the window, or on an order that its buyer gave up. */
function isLate(order: DecidableOrder, facts: PaymentFacts, now: Date): boolean {
  if (order.status === 'expired' || order.status === 'cancelled' || facts.isLate) return true
  const isStillOpen = order.status === 'initiated' || order.status === 'pending'
  return isStillOpen && now.getTime() - order.createdAt.getTime() > paymentTimeoutMs
}

function decideSecondDeposit(facts: PaymentFacts): PaymentDecision {
  const hasMoney = (facts.paidAmount ?? 0) > 0 || facts.state === 'finished'
  if (!hasMoney) return nothing
  return flag(
    'repeated_deposit',
    `A further deposit of ${amountText(facts)} came to the address of payment ` +
      `${facts.parentPaymentId ?? ''}. Nothing was credited for it.`,
  )
}

function decideWrongPrice(order: DecidableOrder, facts: PaymentFacts): PaymentDecision {
  return flag(
    'price_mismatch',
    `The payment is for ${priceText(facts.price)}, the order for ${priceText(order.price)}.`,
  )
}

function isSamePrice(one: Money | null, other: Money): boolean {
  return one?.minorUnits === other.minorUnits && one.currency === other.currency
}

function priceText(price: Money | null): string {
  return price === null ? 'no known price' : `${price.minorUnits} minor units of ${price.currency}`
}

function decideAfterCredit(order: DecidableOrder, facts: PaymentFacts): PaymentDecision {
  if (facts.state === 'unknown') return unknownStatus(facts)
  if (facts.state === 'disputed') return disputed(facts)
  if (order.creditedPaymentId !== null && order.creditedPaymentId !== facts.paymentId) {
    return decideSecondPayment(order.creditedPaymentId, facts)
  }
  if (order.isReversed) return nothing
  if (facts.state === 'refunded') {
    return {
      ...flag('refunded_after_credit', 'The provider returned the money after the crediting.'),
      reverses: true,
    }
  }
  // What an operator credited has no payment of its own: that one failed is why it was his decision.
  return order.creditedPaymentId === null ? nothing : decideCreditedPayment(facts)
}

/** Money beside the payment that credited the order; what has only been seen may still vanish. */
function decideSecondPayment(creditedPaymentId: string, facts: PaymentFacts): PaymentDecision {
  const { state } = facts
  if (state === 'waiting' || state === 'processing' || state === 'refunded') return nothing
  const isPaid = state === 'finished' || state === 'partial' || (facts.paidAmount ?? 0) > 0
  if (!isPaid) return nothing
  return flag(
    'second_payment',
    `The order was already credited by payment ${creditedPaymentId}; this one brought ` +
      `${amountText(facts)} more and is ${facts.providerStatus}.`,
  )
}

/** The crediting payment, read again: the provider may take its word back. */
function decideCreditedPayment(facts: PaymentFacts): PaymentDecision {
  switch (facts.state) {
    case 'finished': {
      const share = facts.isMarkedPaid ? 1 : paidShare(facts)
      if (share === null || share < coveredShareMin) return failedAfterCredit(facts)
      return { ...nothing, flags: overpaidFlags(share, facts) }
    }
    case 'partial':
    case 'failed':
    case 'expired':
      return failedAfterCredit(facts)
    case 'waiting':
    case 'processing':
    case 'disputed':
    case 'refunded':
    case 'unknown':
      // Under way once more: how it ends decides. The other three are judged before.
      return nothing
  }
}

function failedAfterCredit(facts: PaymentFacts): PaymentDecision {
  return flag(
    'failed_after_credit',
    `The payment was credited and is now ${facts.providerStatus} with ${amountText(facts)}. ` +
      'Nothing was taken back: if the money is gone, refund the order.',
  )
}

function decidePartial(order: DecidableOrder, facts: PaymentFacts, now: Date): PaymentDecision {
  const missing = missingAmount(facts)
  return {
    ...flag('underpaid', `Only ${amountText(facts)} came.`),
    status: 'processing',
    isLate: isLate(order, facts, now),
    missing:
      missing === null || facts.payCurrency === null
        ? undefined
        : { amount: missing, currency: facts.payCurrency },
  }
}

function decideFinished(order: DecidableOrder, facts: PaymentFacts, now: Date): PaymentDecision {
  if (!order.hasBuyer) {
    return flag('buyer_deleted', `${amountText(facts)} came for a buyer who is gone.`)
  }
  const share = facts.isMarkedPaid ? 1 : paidShare(facts)
  if (share === null) {
    return {
      ...flag('amount_unverified', `The provider calls it paid, but ${amountText(facts)} came.`),
      status: 'processing',
      isLate: isLate(order, facts, now),
    }
  }
  if (share < coveredShareMin) return decidePartial(order, facts, now)
  return {
    ...nothing,
    credits: true,
    isLate: isLate(order, facts, now),
    missing: null,
    flags: overpaidFlags(share, facts),
  }
}

function overpaidFlags(share: number, facts: PaymentFacts): RaisedFlag[] {
  if (share <= overpaidFrom && !facts.isOverpaid) return []
  return [{ kind: 'overpaid', note: `${amountText(facts)} came, which is more than the price.` }]
}

/** What came as a share of what was asked for; null when nothing came or the provider doesn't tell. */
function paidShare({ payAmount, paidAmount }: PaymentFacts): number | null {
  if (payAmount === null || paidAmount === null || payAmount <= 0 || paidAmount <= 0) return null
  return paidAmount / payAmount
}

function decideEnd(
  order: DecidableOrder,
  facts: PaymentFacts,
  state: 'failed' | 'expired' | 'refunded',
): PaymentDecision {
  const hasMoney = state !== 'refunded' && (facts.paidAmount ?? 0) > 0
  const flags: RaisedFlag[] = hasMoney
    ? [
        {
          kind: state === 'failed' ? 'failed_with_money' : 'expired_with_money',
          note: `The payment ended as ${facts.providerStatus} although ${amountText(facts)} came.`,
        },
      ]
    : []
  // Another coin may be on its way, and what the buyer or the clock ended stays ended.
  const isUnderWay = order.otherStates.some(
    (other) => other === 'waiting' || other === 'processing' || other === 'partial',
  )
  const isOpen =
    order.status === 'initiated' || order.status === 'pending' || order.status === 'processing'
  if (isUnderWay || !isOpen) return { ...nothing, flags }
  return { ...nothing, status: state === 'expired' ? 'expired' : 'failed', missing: null, flags }
}

/** Coins missing, rounded to twelve places so that no float noise is shown; null when unknown. */
function missingAmount(facts: PaymentFacts): number | null {
  if (facts.payAmount === null || facts.paidAmount === null) return null
  const missing = Number((facts.payAmount - facts.paidAmount).toFixed(12))
  return missing > 0 ? missing : null
}

function amountText(facts: PaymentFacts): string {
  const currency = facts.payCurrency?.toUpperCase() ?? 'coins'
  return facts.paidAmount === null
    ? `an unknown amount of ${currency}`
    : `${facts.paidAmount} of ${facts.payAmount ?? 'unknown'} ${currency}`
}

/** How it ends decides: as `refunded` the credits go back, as `finished` they are right. */
function disputed(facts: PaymentFacts): PaymentDecision {
  return flag('disputed', `The payer claims ${amountText(facts)} back.`)
}

function unknownStatus(facts: PaymentFacts): PaymentDecision {
  return flag('unknown_status', `The provider says '${facts.providerStatus}'.`)
}

function flag(kind: FlagKind, note: string): PaymentDecision {
  return { ...nothing, flags: [{ kind, note }] }
}
