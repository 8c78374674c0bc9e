import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createBuyer } from './buyer.ts'
import type { Buyer } from './buyer.ts'
import { createCallbacks } from './callbacks.ts'
import type { Callbacks } from './callbacks.ts'
import { registerPayPage } from './pay-page.ts'
import { createPayments } from './payments.ts'
import type { Payments } from './payments.ts'
import { registerApi } from './routes.ts'

/** Time, as the gateway needs it: reading it and waiting for it to pass. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`, or at once when `signal` is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export interface GatewayOptions {
  /** The key that callers send as `x-api-key`. */
  apiKey: string
  /** The secret that callbacks are signed with. */
  ipnSecret: string
  /** Where browsers reach the pay page, without a slash at the end. */
  publicUrl: () => string
  clock?: Clock
  fetch?: typeof fetch
  /** The coin that the merchant is settled in; it decides the minimum of a payment. */
  outcomeCoin?: string
  /** Milliseconds between two statuses of a payment under way. */
  stepDelayMs?: number
  /** Milliseconds before each repetition of a callback that was not answered with a 2xx. */
  retryDelaysMs?: readonly number[]
}

/** What the parts of the gateway share. */
export interface GatewayContext extends Required<
  Pick<GatewayOptions, 'apiKey' | 'clock' | 'outcomeCoin' | 'publicUrl' | 'stepDelayMs'>
> {
  payments: Payments
  callbacks: Callbacks
  buyer: Buyer
}

const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
}
/** From 0 up to but not including 1. */
const random = () => randomInt(2 ** 40) / 2 ** 40

export type Gateway = ReturnType<typeof openNowpaymentsGateway>

/**
 * A payment gateway that speaks the NOWPayments v1 protocol, with a pay page and signed callbacks.
 * All its money is test money, and it forgets everything when the program ends.
 */
export function openNowpaymentsGateway(options: GatewayOptions) {
  const stop = new AbortController()
  const { signal } = stop
  const { apiKey, ipnSecret, publicUrl, clock = realClock, outcomeCoin = 'usdcmatic' } = options
  const { retryDelaysMs = [1_000, 5_000, 30_000], stepDelayMs = 1_200 } = options
  const payments = createPayments({ outcomeCoin, now: () => clock.now(), random })
  const sending = { clock, random, fetch: options.fetch ?? fetch, ipnSecret, retryDelaysMs, signal }
  const callbacks = createCallbacks(sending)
  const buyer = createBuyer({ payments, callbacks, clock, signal })
  const own = { payments, callbacks, buyer }
  const context: GatewayContext = { ...own, apiKey, clock, outcomeCoin, publicUrl, stepDelayMs }

  async function whenQuiet(): Promise<void> {
    while (buyer.isMoving() || callbacks.isSending()) {
      await buyer.whenQuiet()
      await callbacks.whenQuiet()
    }
  }
  return {
    /** Its API under `/v1`, its pay page under `/payment/`, and the tester's calls under `/control`. */
    async routes(app: FastifyInstance): Promise<void> {
      await app.register(async (scope) => registerApi(scope, context))
      await app.register(async (scope) => registerPayPage(scope, context))
    },
    /** Lets the pay page of an invoice say that its order was cancelled. Money still comes through. */
    cancelInvoice: payments.cancelInvoice,
    /** Ends statuses and callbacks under way. */
    async close(): Promise<void> {
      stop.abort()
      await whenQuiet()
    },
    /** Resolves when no status and no callback is under way or waiting. */
    whenQuiet,
  }
}
