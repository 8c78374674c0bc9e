import {
  amountText,
  coveredShareMin,
  disputed,
  flag,
  nothing,
  overpaidFlags,
  paidShare,
  unknownStatus,
} from './payment-decision.ts'
import type { DecidableOrder, PaymentDecision } from './payment-decision.ts'
import type { PaymentFacts } from './provider.ts'

/** What a payment means for an order that was credited: never a second crediting. */
export function decideAfterCredit(order: DecidableOrder, facts: PaymentFacts): PaymentDecision {
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
  return order.creditedPaymentId === null ? nothing : decideCreditedPayment(order, facts)
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
function decideCreditedPayment(order: DecidableOrder, facts: PaymentFacts): PaymentDecision {
  const isWithMoney = facts.state === 'finished' || facts.state === 'partial'
  if (order.creditedShare !== undefined && isWithMoney) {
    return decidePartlyCredited(order.creditedShare, facts)
  }
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

/** More money after an order was credited with what had come: an operator decides. */
function decidePartlyCredited(creditedShare: number, facts: PaymentFacts): PaymentDecision {
  const share = facts.isMarkedPaid ? 1 : (paidShare(facts) ?? 0)
  // Less than a percent is what rounding to whole credits leaves.
  if (share < creditedShare - 0.01) return failedAfterCredit(facts)
  if (share < creditedShare + 0.01) return nothing
  return flag(
    'overpaid',
    `${amountText(facts)} came; the order was credited for ${Math.round(creditedShare * 100)} % of its price.`,
  )
}

function failedAfterCredit(facts: PaymentFacts): PaymentDecision {
  return flag(
    'failed_after_credit',
    `The payment was credited and is now ${facts.providerStatus} with ${amountText(facts)}. ` +
      'Nothing was taken back: if the money is gone, refund the order.',
  )
}
