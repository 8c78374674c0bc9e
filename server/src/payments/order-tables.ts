import type { OrderStatus } from '@starside/contract/order-statuses.ts'
import type { Generated } from 'kysely'
import type { PaymentState, ProviderName } from './provider.ts'

/** The rows of migration 0010, as Kysely sees them. Numerics are texts, int8 keys too. */
export interface OrderTables {
  orders: OrdersTable
  payments: PaymentsTable
  payment_events: PaymentEventsTable
  order_flags: OrderFlagsTable
}

export interface OrdersTable {
  id: string
  user_id: string | null
  idempotency_key: string | null
  package_type: string
  price_cents: number
  price_currency: Generated<string>
  credits: number
  status: Generated<OrderStatus>
  provider: ProviderName
  invoice_id: string | null
  payment_url: string | null
  paid_late: Generated<boolean>
  created_at: Date
  updated_at: Date
  credited_at: Date | null
  reversed_at: Date | null
  /** Set where it was credited with what its payments were worth together. */
  credits_granted: number | null
  next_search_at: Date | null
  search_count: Generated<number>
}

/** `unread`: only a callback has named it; `missing`: the provider doesn't know it. */
export type StoredPaymentState = PaymentState | 'unread' | 'missing'

export interface PaymentsTable {
  provider: ProviderName
  payment_id: string
  order_id: string | null
  parent_payment_id: string | null
  state: Generated<StoredPaymentState>
  provider_status: string | null
  pay_currency: string | null
  pay_amount: string | null
  paid_amount: string | null
  settled_amount: string | null
  price_minor_units: string | null
  price_currency: string | null
  provider_updated_at: Date | null
  credited: Generated<boolean>
  first_seen_at: Date
  last_read_at: Date | null
  callback_count: Generated<number>
  next_read_at: Date | null
  read_count: Generated<number>
}

export interface PaymentEventsTable {
  id: Generated<string>
  provider: ProviderName
  payment_id: string | null
  order_id: string | null
  event: string
  detail: Generated<string>
  created_at: Date
}

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

export interface OrderFlagsTable {
  id: Generated<string>
  provider: ProviderName
  payment_id: string | null
  order_id: string | null
  kind: FlagKind
  note: string
  created_at: Date
  resolved_at: Date | null
  resolution: string | null
}
