import { paymentTimeoutMs } from '@starside/contract/limits.ts'
import { decideAfterCredit } from './decide-credited-payment.ts'
import {
  coveredShareMin,
  flag,
  noteOf,
  nothing,
  overpaidFlags,
  paidShare,
} from './payment-decision.ts'
import type { DecidableOrder, PaymentDecision, RaisedFlag } from './payment-decision.ts'
import type { Money, PaymentFacts } from './provider.ts'

/**
 * Decides, without side effects, what a payment means for its order. Only `finished` credits: once, for
 * a first deposit, at the order's price and currency, even when it has expired, failed or was cancelled.
 */
export function decidePayment(
  order: DecidableOrder,
  facts: PaymentFacts,
  now: Date,
): PaymentDecision {
  if (facts.parentPaymentId !== null) return decideSecondDeposit(facts)
  const { minorUnits, currency } = order.price
  if (facts.price?.minorUnits !== minorUnits || facts.price.currency !== currency) {
    return decideWrongPrice(order, facts)
  }
  // A status that this version doesn't know: an operator decides.
  if (facts.state === 'unknown') return flag('unknown_status', noteOf('unknownStatus', facts))
  // How it ends decides: as `refunded` the credits go back, as `finished` they are right.
  if (facts.state === 'disputed') return flag('disputed', noteOf('disputed', facts))
  if (order.isCredited) return decideAfterCredit(order, facts)
  switch (facts.state) {
    case 'waiting':
      return order.status === 'initiated' ? { ...nothing, status: 'pending' } : nothing
    case 'processing':
      return { ...nothing, status: 'processing', isLate: isLate(order, facts, now) }
    case 'partial':
      return decidePartial(order, facts, now)
    case 'finished':
      return decideFinished(order, facts, now)
    case 'failed':
    case 'expired':
    case 'refunded':
      return decideEnd(order, facts, facts.state)
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
  const parent = facts.parentPaymentId ?? ''
  return flag('repeated_deposit', noteOf('repeatedDeposit', facts, { parent }))
}

function decideWrongPrice(order: DecidableOrder, facts: PaymentFacts): PaymentDecision {
  const prices = { paid: priceText(facts.price), asked: priceText(order.price) }
  return flag('price_mismatch', noteOf('wrongPrice', facts, prices))
}

function priceText(price: Money | null): string {
  return price === null ? 'no known price' : `${price.minorUnits} minor units of ${price.currency}`
}

function decidePartial(order: DecidableOrder, facts: PaymentFacts, now: Date): PaymentDecision {
  const underpaid = flag('underpaid', noteOf('underpaid', facts))
  return { ...underpaid, status: 'processing', isLate: isLate(order, facts, now) }
}

function decideFinished(order: DecidableOrder, facts: PaymentFacts, now: Date): PaymentDecision {
  if (!order.hasBuyer) return flag('buyer_deleted', noteOf('buyerDeleted', facts))
  const share = facts.isMarkedPaid ? 1 : paidShare(facts)
  if (share !== null && share < coveredShareMin) return decidePartial(order, facts, now)
  const late = { isLate: isLate(order, facts, now) }
  if (share === null) {
    const unverified = flag('amount_unverified', noteOf('amountUnverified', facts))
    return { ...unverified, ...late, status: 'processing' }
  }
  return { ...nothing, ...late, credits: true, flags: overpaidFlags(share, facts) }
}

function decideEnd(
  order: DecidableOrder,
  facts: PaymentFacts,
  state: 'failed' | 'expired' | 'refunded',
): PaymentDecision {
  const hasMoney = state !== 'refunded' && (facts.paidAmount ?? 0) > 0
  const kind = state === 'failed' ? 'failed_with_money' : 'expired_with_money'
  const flags: RaisedFlag[] = hasMoney ? [{ kind, note: noteOf('endedWithMoney', facts) }] : []
  // Another coin may be on its way or have brought a part, and what the buyer or the clock ended
  // stays ended.
  const isUnderWay = order.otherStates.some(
    (other) => other === 'waiting' || other === 'processing' || other === 'partial',
  )
  const isOpen =
    order.status === 'initiated' || order.status === 'pending' || order.status === 'processing'
  if (isUnderWay || order.otherShare > 0 || !isOpen) return { ...nothing, flags }
  return { ...nothing, status: state === 'expired' ? 'expired' : 'failed', flags }
}
