/** What an underpaid order's payments brought, as they were last read. */
export interface Underpayment {
  /** Credits that the confirmed money buys, rounded down; all where payments make the price. */
  worthCredits: number
  /** What the payment that brought the most has and lacks, in its coin; null where that isn't known. */
  missing: { paid: string; amount: string; currency: string } | null
  /** The payments that brought it, of which the first brought the most. */
  paymentIds: string[]
}

/**
 * SQL: whether a row of `payments` stands, as a part of the price of its row of `orders`: a first
 * deposit at the order's price that the provider hasn't given back, or given up.
 */
export const isStanding = `
  payments.order_id = orders.id
  and payments.parent_payment_id is null
  and payments.state in ('partial', 'finished')
  and payments.pay_amount > 0
  and payments.price_minor_units = orders.price_cents
  and payments.price_currency = orders.price_currency`

/** SQL: which share of the price a payment that stands has brought for good. */
export const settledShare = `
  coalesce(least(payments.settled_amount, payments.paid_amount) / payments.pay_amount, 0)`

/**
 * SQL: the `Underpayment` of a row of `orders`, or null. It sees the payments of the statement's own
 * snapshot: whoever credits reads it in a statement of its own, once the order is locked.
 */
export const underpayment = `
  case when orders.status = 'processing' then (
    select json_build_object(
      'worthCredits', least(orders.credits, floor(round(orders.credits * sum(share), 9)))::integer,
      'missing', (array_agg(
        json_build_object(
          'paid', trim_scale(paid_amount)::text,
          'amount', trim_scale(lacks)::text, 'currency', pay_currency)
        order by share desc, payment_id
      ) filter (where lacks > 0 and pay_currency is not null))[1],
      'paymentIds', coalesce(
        array_agg(payment_id order by share desc, payment_id) filter (where share > 0), '{}')
    )
    from (
      select payment_id, pay_currency, paid_amount, ${settledShare} as share,
        pay_amount - paid_amount as lacks
      from payments where ${isStanding}
    ) as standing
    having count(*) > 0
  ) end`
