import { creditsText } from '@starside/contract/fill.ts'
import type { RandomBytes } from '../platform/secrets/random-bytes.ts'
import type { Database } from '../platform/db/database.ts'
import { violatedConstraint } from '../platform/db/postgres-errors.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { Logger } from '../platform/logging/logger.ts'
import { createOrderId } from './order-id.ts'
import { makePaymentDue } from './payment-queries.ts'
import { PaymentProviderError } from './provider.ts'
import type { Checkout, PaymentProvider } from './provider.ts'
import { findOrderByKey, insertOrder, markCheckoutFailed, storeCheckout } from './queries.ts'
import type { ShownOrderRow } from './queries.ts'
import { nextReadAt, nextSearchAt } from './reading-times.ts'

/** What can be bought: price in US cents, and credits. */
export interface OfferedPackage {
  id: string
  priceCents: number
  credits: number
  isOnSale: boolean
}

export interface CreateOrderParts {
  database: Database
  provider: PaymentProvider
  publicUrl: string
  /** What the buyer reads at the provider. */
  siteName: string
  packages: readonly OfferedPackage[]
  clock: () => Date
  randomBytes: RandomBytes
  log: Logger
}

export interface CreateOrderRequest {
  userId: string
  packageType: string
  idempotencyKey: string | undefined
}

const checkoutTimeoutMs = 15_000

/**
 * Writes the order, with price and credits of the package as it is offered now, then opens the provider's
 * invoice for it, with no transaction open, and stores where to pay. The same idempotency key gives
 * the same order; if its invoice is missing it is asked for again, which is harmless, because an
 * order is credited once however many invoices it has. Throws `package_invalid`,
 * `idempotency_conflict` or `payment_provider_down`.
 */
export async function createOrder(
  parts: CreateOrderParts,
  request: CreateOrderRequest,
): Promise<ShownOrderRow> {
  const order = await findOrInsert(parts, request)
  if (order.payment_url !== null || order.status === 'completed') return order
  const checkout = await openCheckout(parts, order)
  const now = parts.clock()
  const searchAt = nextSearchAt({ searchCount: 0, createdAt: order.created_at }, now) ?? now
  const storing = storeCheckout(parts.database, { orderId: order.id, checkout, now, searchAt })
  const stored = await storing.catch((error: unknown) => {
    // The provider gave another order's invoice.
    if (violatedConstraint(error) !== 'orders_invoice_unique') throw error
    return refuseCheckout(parts, order, error)
  })
  await watchFromTheStart(parts, checkout)
  return stored
}

function findPackage(offered: readonly OfferedPackage[], type: string): OfferedPackage {
  const found = offered.find(({ id, isOnSale }) => isOnSale && id === type)
  if (found !== undefined) return found
  throw new AppError('package_invalid', {
    sentence: `Invalid package type: ${type.slice(0, 60)}`,
  })
}

async function findOrInsert(
  parts: CreateOrderParts,
  request: CreateOrderRequest,
): Promise<ShownOrderRow> {
  const { database, clock, randomBytes, provider } = parts
  const { userId, idempotencyKey, packageType } = request
  const now = clock()
  const earlier =
    idempotencyKey === undefined
      ? undefined
      : await findOrderByKey(database, { userId, idempotencyKey })
  if (earlier !== undefined) return asRepeated(earlier, packageType)
  const { priceCents, credits } = findPackage(parts.packages, packageType)
  const inserted = await insertOrder(database, {
    id: createOrderId(now, randomBytes),
    userId,
    idempotencyKey,
    packageType,
    priceCents,
    credits,
    provider: provider.name,
    now,
  })
  if (inserted !== undefined) return inserted
  // A call with the same key came first in between.
  const winner = await findOrderByKey(database, { userId, idempotencyKey: idempotencyKey ?? '' })
  if (winner === undefined) throw new Error('an order was refused without a conflict')
  return asRepeated(winner, packageType)
}

function asRepeated(order: ShownOrderRow, packageType: string): ShownOrderRow {
  if (order.package_type !== packageType) throw new AppError('idempotency_conflict')
  return order
}

async function openCheckout(parts: CreateOrderParts, order: ShownOrderRow): Promise<Checkout> {
  const { provider, publicUrl, siteName } = parts
  const dashboard = new URL('/dashboard', publicUrl)
  dashboard.searchParams.set('order', order.id)
  try {
    return await provider.createCheckout(
      {
        orderId: order.id,
        price: { minorUnits: order.price_cents, currency: order.price_currency },
        description: `${creditsText(order.credits)} of ${siteName}`,
        successUrl: dashboard.href,
        cancelUrl: dashboard.href,
      },
      AbortSignal.timeout(checkoutTimeoutMs),
    )
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    return refuseCheckout(parts, order, error)
  }
}

async function refuseCheckout(
  { database, clock, log }: CreateOrderParts,
  order: ShownOrderRow,
  error: unknown,
): Promise<never> {
  log.warn({ err: error, orderId: order.id }, 'no invoice could be opened')
  await markCheckoutFailed(database, { orderId: order.id, now: clock() })
  throw new AppError('payment_provider_down', { cause: error })
}

/** Where the invoice is the payment itself, it can be read without waiting for a callback. */
async function watchFromTheStart(parts: CreateOrderParts, checkout: Checkout): Promise<void> {
  if (checkout.paymentId === null) return
  const now = parts.clock()
  const at = nextReadAt({ readCount: 3, firstSeenAt: now }, 'waiting', now) ?? now
  await makePaymentDue(parts.database, {
    provider: parts.provider.name,
    paymentId: checkout.paymentId,
    at,
    now,
    isCallback: false,
  })
}
