import type { AddressInfo } from 'node:net'
import { orderRoutes as declared } from '@starside/contract/routes/order-routes.ts'
import { paymentProviders } from '@starside/contract/payment-providers.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { guardsOf } from '../accounts/auth/session.ts'
import type { SignedInUser } from '../accounts/auth/session.ts'
import type { Database } from '../platform/db/database.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { takeRawBodies } from '../platform/http/parse-input.ts'
import { serveRoutes } from '../platform/http/serve-routes.ts'
import type { RouteHandlers } from '../platform/http/serve-routes.ts'
import type { PaymentParts } from './parts.ts'
import { cancelOrder } from './cancel-order.ts'
import { createOrder } from './create-order.ts'
import { creditWorth } from './settle-by-word.ts'
import { isOrderId } from './order-id.ts'
import { presentOrder, presentPastOrder } from './present-order.ts'
import { createOrderReader, findOwnOrder, listOwnOrders } from './queries.ts'
import type { ShownOrderRow } from './queries.ts'
import type { Payments } from './payments.ts'
import type { PaymentProvider } from './provider.ts'
import type { PaymentWatcher } from './watch-payments.ts'
import { fromNow } from '../platform/clock.ts'

const listLimit = 100
/** The provider is asked about an order that is being looked at no more often than this. */
const rereadAfterMs = 30_000

/** `/api/orders` for the buyer and the providers' callbacks. */
export async function orderRoutes(
  app: FastifyInstance,
  { context }: { context: PaymentParts },
): Promise<void> {
  const { database, clock, payments } = context
  const findWatchedOrder = createOrderReader(context.pool, () => fromNow(context, -rereadAfterMs))
  const handlers: RouteHandlers<typeof declared, SignedInUser> = {
    'POST /api/orders': async ({ user: { userId }, body, ...call }) => {
      const { idempotencyKey, request } = call
      const buying = { userId, ...body, idempotencyKey }
      const order = await createOrder({ ...context, log: request.log }, buying)
      return { success: true, data: presentOrder(order, userId) }
    },
    'GET /api/orders': async ({ user: { userId } }) => {
      const rows = await listOwnOrders(database, { userId, limit: listLimit })
      return { success: true, items: rows.map((row) => presentPastOrder(row, userId)) }
    },
    'GET /api/orders/status': async ({ user: { userId }, query: { order_id: orderId } }) => {
      const order = isOrderId(orderId) ? await findWatchedOrder({ userId, orderId }) : undefined
      if (order === undefined) throw new AppError('order_unknown')
      // Has the payments of an order under way read again, for the next time the buyer looks.
      for (const key of order.stalePayments) await payments.watcher.readSoon(key)
      return { success: true, data: presentOrder(order, userId) }
    },
    'POST /api/orders/credit-worth': async ({ user: { userId }, body: { orderId } }) => {
      await expectOwnOrder(database, { userId, orderId })
      const { outcome } = await creditWorth(database, {
        orderId,
        userId,
        reason: 'the buyer took it instead of paying the rest',
        now: clock(),
        enqueueReceipt: payments.enqueueReceipt,
      })
      if (outcome === 'refused') throw new AppError('order_not_underpaid')
      const order = await expectOwnOrder(database, { userId, orderId })
      return { success: true, data: presentOrder(order, userId) }
    },
    'POST /api/orders/cancel': async ({ user: { userId }, body: { orderId } }) => {
      const order = await cancelOrder(database, { userId, orderId, now: clock() })
      const { provider, invoice_id: invoiceId } = order
      if (invoiceId !== null) payments.find(provider)?.closeCheckout?.(invoiceId)
      return { success: true, data: presentOrder(order, userId) }
    },
  }
  serveRoutes(app, guardsOf(context), declared, handlers)

  await app.register(callbackRoutes, { payments })
  for (const routes of payments.routes) await app.register(routes)
  app.addHook('onListen', async () => {
    const address = app.server.address()
    if (address === null || typeof address === 'string') return
    payments.listensAt(localUrlOf(address))
  })
}

/** Throws `order_unknown` where this person has no such order. */
async function expectOwnOrder(
  database: Database,
  { userId, orderId }: { userId: string; orderId: string },
): Promise<ShownOrderRow> {
  const order = isOrderId(orderId)
    ? await findOwnOrder(database, { id: orderId, user_id: userId })
    : undefined
  if (order === undefined) throw new AppError('order_unknown')
  return order
}

/** A URL for programs of this machine: `0.0.0.0` and `::`, to listen on, mean everywhere. */
export function localUrlOf({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address
  return family === 'IPv6' && host.includes(':')
    ? `http://[${host}]:${port}`
    : `http://${host}:${port}`
}

/** A real notification has about one kilobyte. */
const callbackBytesMax = 64 * 1024

/** Where payment providers send their callbacks. */
export async function callbackRoutes(
  scope: FastifyInstance,
  { payments }: { payments: Payments },
): Promise<void> {
  takeRawBodies(scope, callbackBytesMax)
  const take = (path: string) => async (request: FastifyRequest) => {
    // Those that speak this protocol; the one whose signature it bears gets it.
    const providers = payments.all.filter(
      ({ name }) => paymentProviders[name].callbackPath === path,
    )
    if (providers.length === 0) throw new AppError('not_found')
    await receiveCallback(providers, payments.watcher, request)
    return { success: true }
  }
  const paths = new Set(Object.values(paymentProviders).map(({ callbackPath }) => callbackPath))
  for (const path of paths) scope.post(path, take(path))
}

/**
 * Takes a provider's callback: a signed one is stored, answered (three seconds are given), then
 * the payment is read with our key. Throws `signature_invalid`; signed nonsense is accepted and
 * logged, as it would only come again; an outage of ours fails, so that it is sent again.
 */
async function receiveCallback(
  providers: readonly PaymentProvider[],
  watcher: PaymentWatcher,
  { body, headers, log }: FastifyRequest,
): Promise<void> {
  const rawBody = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  for (const provider of providers) {
    const verdict = provider.verifyCallback(rawBody, headers)
    if (verdict.outcome === 'payment') {
      return watcher.noticeCallback({ provider: provider.name, payment_id: verdict.paymentId })
    }
    if (verdict.outcome === 'ignored') {
      const { reason } = verdict
      return log.warn({ provider: provider.name, reason }, 'a signed callback was ignored')
    }
  }
  log.warn({ bytes: rawBody.length }, 'a callback has a wrong signature')
  throw new AppError('signature_invalid')
}
