import { coinName } from '@starside/contract/coin-names.ts'
import { fill } from '@starside/contract/fill.ts'
import notes from './flag-notes.json' with { type: 'json' }
import type { OrderStatus } from '@starside/contract/order-statuses.ts'
import type { readOrderPayments } from './payment-queries.ts'
import type { Money, PaymentFacts, PaymentState } from './provider.ts'
import type { OrderRow } from './queries.ts'

/** Why an operator has to look at an order. */
export type FlagKind =
  | 'underpaid'
  | 'overpaid'
  | 'repeated_deposit'
  | 'second_payment'
  | 'price_mismatch'
  | 'unknown_order'
  | 'order_mismatch'
  | 'failed_with_money'
  | 'expired_with_money'
  | 'refunded_after_credit'
  | 'failed_after_credit'
  | 'disputed'
  | 'amount_unverified'
  | 'credits_owed'
  | 'refund_not_covered'
  | 'buyer_deleted'
  | 'unknown_status'

/** Flags about money that lacks, which an order's crediting settles. */
export const settledByCrediting: FlagKind[] = [
  'underpaid',
  'failed_with_money',
  'expired_with_money',
  'amount_unverified',
]

/** What of an order the decision needs. */
export interface DecidableOrder {
  id: string
  status: OrderStatus
  price: Money
  createdAt: Date
  isCredited: boolean
  isReversed: boolean
  hasBuyer: boolean
  credits: number
  /** Which part of its credits was granted, where it was credited with what its money was worth. */
  creditedShare?: number | undefined
  creditedPaymentId: string | null
  /** States of the order's other payments: one that is under way outweighs one that ended. */
  otherStates: readonly PaymentState[]
  /** Which share of the price the order's other payments that stand have brought for good. */
  otherShare: number
}

/** An order as it is decided on, with what is known of its payments. */
export function toDecidable(
  order: OrderRow,
  payments: Awaited<ReturnType<typeof readOrderPayments>>,
): DecidableOrder {
  const { credits, credits_granted: granted } = order
  return {
    id: order.id,
    status: order.status,
    price: { minorUnits: order.price_cents, currency: order.price_currency },
    createdAt: order.created_at,
    credits,
    isCredited: order.credited_at !== null,
    isReversed: order.reversed_at !== null,
    creditedShare: granted === null ? undefined : granted / credits,
    hasBuyer: order.user_id !== null,
    ...payments,
  }
}

export type RaisedFlag = { kind: FlagKind; note: string }

/** What a reading of a payment means for its order. */
export interface PaymentDecision {
  /** The order's next status; null leaves it. Never `completed`: that is what `credits` does. */
  status: Exclude<OrderStatus, 'completed'> | null
  credits: boolean
  reverses: boolean
  /** Mark that the money came after the time was up. */
  isLate: boolean
  flags: RaisedFlag[]
}

/** Leaves everything as it is. */
export const nothing: PaymentDecision = {
  status: null,
  credits: false,
  reverses: false,
  isLate: false,
  flags: [],
}

/** More than this above the price is flagged for the operator: half a percent covers rounding. */
const overpaidFrom = 1.005
/** Merchants may have small gaps covered (`finished`); below this share an operator decides. */
export const coveredShareMin = 0.9

/** Changes nothing, and flags it for the operator. */
export function flag(kind: FlagKind, note: string): PaymentDecision {
  return { ...nothing, flags: [{ kind, note }] }
}

/** The flag of more money than was asked for; `share` is what came of it. */
export function overpaidFlags(share: number, facts: PaymentFacts): RaisedFlag[] {
  if (share <= overpaidFrom && !facts.isOverpaid) return []
  return [{ kind: 'overpaid', note: noteOf('overpaid', facts) }]
}

/** What came as a share of what was asked for, to nine digits as in SQL; null when nothing is known to have come. */
export function paidShare({ payAmount, paidAmount }: PaymentFacts): number | null {
  if (payAmount === null || paidAmount === null || payAmount <= 0 || paidAmount <= 0) return null
  return Number((paidAmount / payAmount).toFixed(9))
}

/** The share that is ours for good, of a payment that the provider hasn't given back or given up. */
export function settledShare(facts: PaymentFacts): number {
  if (facts.state !== 'partial' && facts.state !== 'finished') return 0
  if (facts.isMarkedPaid) return 1
  const share = paidShare(facts) ?? 0
  return Math.min(share, (facts.settledAmount ?? 0) / (facts.payAmount ?? Infinity))
}

/** A flag's note, with what came and the provider's own word in their places. */
export function noteOf(
  note: keyof typeof notes,
  facts: PaymentFacts,
  more: Record<string, string> = {},
): string {
  return fill(notes[note], { amount: amountText(facts), status: facts.providerStatus, ...more })
}

function amountText(facts: PaymentFacts): string {
  const currency = facts.payCurrency === null ? 'coins' : coinName(facts.payCurrency)
  return facts.paidAmount === null
    ? `an unknown amount of ${currency}`
    : `${facts.paidAmount} of ${facts.payAmount ?? 'unknown'} ${currency}`
}
