import { creditsText } from '@starside/contract/fill.ts'
import { violatedConstraint } from '../platform/db/postgres-errors.ts'
import { updateRows } from '../platform/db/rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { createOrderId } from './order-id.ts'
import type { PaymentParts } from './parts.ts'
import { makePaymentDue } from './payment-queries.ts'
import { PaymentProviderError } from './provider.ts'
import type { Checkout } from './provider.ts'
import { findOwnOrder, findPayableOrder, insertOrder, storeCheckout } from './queries.ts'
import type { ShownOrderRow } from './queries.ts'
import { fromNow } from '../platform/clock.ts'
import { nextSearchAt } from './reading-times.ts'

type Parts = Pick<
  PaymentParts,
  'clock' | 'config' | 'database' | 'log' | 'payments' | 'randomBytes' | 'site'
>

export interface CreateOrderRequest {
  userId: string
  packageType: string
  priceCents?: number | null | undefined
  idempotencyKey: string | undefined
}

const checkoutTimeoutMs = 15_000
const firstReadDelayMs = 60_000

/**
 * Writes the order at today's price and credits, then opens the provider's invoice, in no transaction,
 * and stores where to pay. An order of the same that can still be paid is given again, as is that of
 * an idempotency key, whose missing invoice is asked for again: an order is credited once however many
 * it has. Throws `package_invalid`, `price_changed`, `idempotency_conflict` or `payment_provider_down`.
 */
export async function createOrder(
  parts: Parts,
  request: CreateOrderRequest,
): Promise<ShownOrderRow> {
  const order = await findOrInsert(parts, request)
  if (order.payment_url !== null || order.status === 'completed') return order
  const checkout = await openCheckout(parts, order)
  const now = parts.clock()
  const searchAt = nextSearchAt(order, now) ?? now
  const storing = storeCheckout(parts.database, { orderId: order.id, checkout, now, searchAt })
  const stored = await storing.catch((error: unknown) => {
    // The provider gave another order's invoice.
    if (violatedConstraint(error) !== 'orders_invoice_unique') throw error
    return refuseCheckout(parts, order, error)
  })
  await watchFromTheStart(parts, checkout)
  return stored
}

async function findOrInsert(parts: Parts, request: CreateOrderRequest): Promise<ShownOrderRow> {
  const { database, clock, randomBytes, payments, site } = parts
  const { userId, idempotencyKey, packageType } = request
  const now = clock()
  const findRepeated = async () =>
    idempotencyKey === undefined
      ? undefined
      : await findOwnOrder(database, { user_id: userId, idempotency_key: idempotencyKey })
  const earlier = await findRepeated()
  if (earlier !== undefined) return asRepeated(earlier, packageType)
  const offered = site.values().packages.find(({ id, isOnSale }) => isOnSale && id === packageType)
  if (offered === undefined) {
    const sentence = `Invalid package type: ${packageType.slice(0, 60)}`
    throw new AppError('package_invalid', { sentence })
  }
  const seenPriceCents = request.priceCents ?? offered.priceCents
  if (seenPriceCents !== offered.priceCents) throw new AppError('price_changed')
  const offer = {
    user_id: userId,
    package_type: packageType,
    price_cents: offered.priceCents,
    credits: offered.credits,
    provider: payments.active.name,
  }
  const open = await findPayableOrder(database, offer, now)
  if (open !== undefined) return open
  const inserted = await insertOrder(database, {
    ...offer,
    id: createOrderId(now, randomBytes),
    idempotency_key: idempotencyKey ?? null,
    created_at: now,
  })
  if (inserted !== undefined) return inserted
  // A call with the same key came first in between.
  const winner = await findRepeated()
  if (winner === undefined) throw new Error('an order was refused without a conflict')
  return asRepeated(winner, packageType)
}

function asRepeated(order: ShownOrderRow, packageType: string): ShownOrderRow {
  if (order.package_type !== packageType) throw new AppError('idempotency_conflict')
  return order
}

async function openCheckout(parts: Parts, order: ShownOrderRow): Promise<Checkout> {
  const dashboard = new URL('/dashboard', parts.config.publicUrl)
  dashboard.searchParams.set('order', order.id)
  try {
    return await parts.payments.active.createCheckout(
      {
        orderId: order.id,
        price: { minorUnits: order.price_cents, currency: order.price_currency },
        description: `${creditsText(order.credits)} of ${parts.site.values()['brand.name']}`,
        returnUrl: dashboard.href,
      },
      AbortSignal.timeout(checkoutTimeoutMs),
    )
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    return refuseCheckout(parts, order, error)
  }
}

async function refuseCheckout(
  { database, clock, log }: Parts,
  order: ShownOrderRow,
  error: unknown,
): Promise<never> {
  log.warn({ err: error, orderId: order.id }, 'no invoice could be opened')
  // One that moved on meanwhile is left alone.
  await updateRows(database, 'orders', {
    match: { id: order.id, status: 'initiated' },
    set: { status: 'failed', updated_at: clock() },
  })
  throw new AppError('payment_provider_down', { cause: error })
}

/** Where the invoice is the payment itself, it can be read without waiting for a callback. */
async function watchFromTheStart(parts: Parts, checkout: Checkout): Promise<void> {
  if (checkout.paymentId === null) return
  const now = parts.clock()
  await makePaymentDue(parts.database, {
    provider: parts.payments.active.name,
    payment_id: checkout.paymentId,
    at: fromNow(parts, firstReadDelayMs),
    now,
    isCallback: false,
  })
}
