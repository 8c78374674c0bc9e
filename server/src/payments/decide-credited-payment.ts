import {
  coveredShareMin,
  flag,
  noteOf,
  nothing,
  overpaidFlags,
  paidShare,
  settledShare,
} from './payment-decision.ts'
import type { DecidableOrder, PaymentDecision } from './payment-decision.ts'
import type { PaymentFacts } from './provider.ts'

/** What a payment means for an order that was credited: never a second crediting. */
export function decideAfterCredit(order: DecidableOrder, facts: PaymentFacts): PaymentDecision {
  const { creditedPaymentId } = order
  if (creditedPaymentId === null) return decideBesideOperator(order, facts)
  const isCrediting = creditedPaymentId === facts.paymentId
  if (order.isReversed) return isCrediting ? nothing : decideSecondPayment(creditedPaymentId, facts)
  if (isCrediting && facts.state === 'refunded') return decideRefund(order, facts)
  if (order.creditedShare !== undefined) {
    const decision = decidePartlyCredited(order.creditedShare, order, facts)
    if (decision !== undefined) return decision
  }
  return isCrediting ? decideCreditedPayment(facts) : decideSecondPayment(creditedPaymentId, facts)
}

/**
 * An order credited on an operator's word, for money no payment tells of: that its payment
 * failed is why; that money went back or came after all is for the operator too.
 */
function decideBesideOperator(order: DecidableOrder, facts: PaymentFacts): PaymentDecision {
  if (facts.state === 'refunded' && !order.isReversed) {
    return flag('refunded_after_credit', noteOf('refundedBesideOperator', facts))
  }
  if (facts.state !== 'finished' || !isPaidInFull(facts)) return nothing
  return flag('second_payment', noteOf('paidBesideOperator', facts))
}

/** The crediting payment's money went back: so do the credits, whatever other payments brought. */
function decideRefund({ otherShare }: DecidableOrder, facts: PaymentFacts): PaymentDecision {
  const share = percent(otherShare)
  const rest = otherShare === 0 ? '' : noteOf('othersStand', facts, { share })
  const refund = flag('refunded_after_credit', noteOf('refunded', facts) + rest)
  return { ...refund, reverses: true }
}

function isPaidInFull(facts: PaymentFacts): boolean {
  return facts.isMarkedPaid || (paidShare(facts) ?? 0) >= coveredShareMin
}

/** Money beside the payment that credited the order; what has only been seen may still vanish. */
function decideSecondPayment(creditedPaymentId: string, facts: PaymentFacts): PaymentDecision {
  const { state } = facts
  if (state === 'waiting' || state === 'processing' || state === 'refunded') return nothing
  const isPaid = state === 'finished' || state === 'partial' || (facts.paidAmount ?? 0) > 0
  if (!isPaid) return nothing
  const note = noteOf('secondPayment', facts, { payment: creditedPaymentId })
  return flag('second_payment', note)
}

/** The crediting payment, read again: the provider may take its word back. */
function decideCreditedPayment(facts: PaymentFacts): PaymentDecision {
  switch (facts.state) {
    case 'finished':
      if (!isPaidInFull(facts)) return failedAfterCredit(facts)
      return {
        ...nothing,
        flags: overpaidFlags(facts.isMarkedPaid ? 1 : (paidShare(facts) ?? 1), facts),
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

/** Compares what stands of an order's payments with its credit; undefined for other payments. */
function decidePartlyCredited(
  creditedShare: number,
  order: DecidableOrder,
  facts: PaymentFacts,
): PaymentDecision | undefined {
  const { state } = facts
  const isCrediting = order.creditedPaymentId === facts.paymentId
  const isEnded = state === 'failed' || state === 'expired'
  if (state === 'waiting' || state === 'processing') return nothing
  if (isCrediting && isEnded) return undefined
  const share = order.otherShare + settledShare(facts)
  const shares = { credited: percent(creditedShare), share: percent(share) }
  const note = noteOf('partlyCredited', facts, shares)
  // The credits were rounded down: only what coins and fractions round may be below them.
  if (share < creditedShare - 0.001) {
    const kind = state === 'refunded' ? 'refunded_after_credit' : 'failed_after_credit'
    return flag(kind, note + noteOf('takenBackNothing', facts))
  }
  if (isEnded || state === 'refunded') return undefined
  // A credit, and less than a percent, is what rounding to whole credits leaves.
  if (share < creditedShare + Math.max(0.01, 1 / order.credits)) return nothing
  return flag(isCrediting ? 'overpaid' : 'second_payment', note)
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function failedAfterCredit(facts: PaymentFacts): PaymentDecision {
  const note = noteOf('failedAfterCredit', facts) + noteOf('takenBackNothing', facts)
  return flag('failed_after_credit', note)
}
