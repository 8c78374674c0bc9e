import { createHash, randomBytes } from 'node:crypto'
import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { registerApi } from './api-routes.ts'
import { openBook } from './book.ts'
import type { Book } from './book.ts'
import { registerControl } from './control-routes.ts'
import { createDeliverer } from './deliver-callbacks.ts'
import type { Deliverer } from './deliver-callbacks.ts'
import { GatewayError, errorBody } from './gateway-error.ts'
import { registerPayPage } from './page-routes.ts'
import { createWalker } from './walk-payments.ts'
import type { Walker } from './walk-payments.ts'

/** Time, as the gateway needs it: reading it and waiting for it to pass. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms`, or at once when `signal` is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export interface GatewayOptions {
  /** 0 takes any free port. */
  port: number
  host: string
  /** The key that callers send as `x-api-key`. */
  apiKey: string
  /** The secret that callbacks are signed with. */
  ipnSecret: string
  clock?: Clock
  fetch?: typeof fetch
  /** A number from 0 up to but not including 1. */
  random?: () => number
  /** Where browsers reach the pay page; the listening address when left out. */
  publicUrl?: string
  /** Keeps everything over a restart; in memory when left out. */
  dataFile?: string
  /** The name of the shop on the pay page. */
  shopName?: string
  /** The coin that the merchant is settled in; it decides the minimum of a payment. */
  outcomeCoin?: string
  /** Milliseconds between two statuses of a payment under way. */
  stepDelayMs?: number
  /** Milliseconds before each repetition of a callback that was not answered with a 2xx. */
  retryDelaysMs?: readonly number[]
  /** Who may ask for a merchant's token. */
  merchant?: { email: string; password: string }
}

export interface RunningGateway {
  /** The address it listens on, without a slash at the end; the API is under `/v1`. */
  url: string
  close(): Promise<void>
  /** Resolves when no status and no callback is under way or waiting. */
  whenQuiet(): Promise<void>
}

/** What the parts of the gateway share. */
export interface GatewayContext {
  book: Book
  clock: Clock
  random: () => number
  apiKey: string
  /** Signs the merchant's tokens; follows from the API key, so that a restart keeps them valid. */
  tokenSecret: string
  merchant: { email: string; password: string }
  outcomeCoin: string
  shopName: string
  stepDelayMs: number
  publicUrl: () => string
  deliverer: Deliverer
  walker: Walker
}

const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal.addEventListener('abort', done)
    }),
}

/** The merchant's sign-in when none was chosen. */
export const sandboxMerchant = { email: 'merchant@sandbox.example', password: 'sandbox' }

/**
 * Starts a payment gateway that speaks the NOWPayments v1 protocol, with its pay page in the
 * browser and signed callbacks. All its money is test money.
 */
export async function startNowpaymentsGateway(options: GatewayOptions): Promise<RunningGateway> {
  const stop = new AbortController()
  const clock = options.clock ?? realClock
  const book = openBook(options.dataFile)
  const deliverer = createDeliverer({
    book,
    clock,
    fetch: options.fetch ?? fetch,
    retryDelaysMs: options.retryDelaysMs ?? [1_000, 5_000, 30_000],
    signal: stop.signal,
  })
  const random = options.random ?? strongRandom
  const walker = createWalker({
    book,
    clock,
    deliverer,
    random,
    ipnSecret: options.ipnSecret,
    signal: stop.signal,
  })
  let url = ''
  const context: GatewayContext = {
    book,
    clock,
    random,
    apiKey: options.apiKey,
    tokenSecret: createHash('sha256').update(`merchant token ${options.apiKey}`).digest('hex'),
    merchant: options.merchant ?? sandboxMerchant,
    outcomeCoin: options.outcomeCoin ?? 'usdcmatic',
    shopName: options.shopName ?? 'the shop',
    stepDelayMs: options.stepDelayMs ?? 1_200,
    publicUrl: () => options.publicUrl?.replace(/\/+$/, '') ?? url,
    deliverer,
    walker,
  }
  const app = buildApp(context)
  url = await app.listen({ port: options.port, host: options.host })
  walker.resume()
  deliverer.resume()
  return {
    url,
    close: async () => {
      stop.abort()
      await app.close()
      await Promise.all([walker.whenQuiet(), deliverer.whenQuiet()])
      book.close()
    },
    whenQuiet: async () => {
      while (walker.busy() || deliverer.busy()) {
        await walker.whenQuiet()
        await deliverer.whenQuiet()
      }
    },
  }
}

function buildApp(context: GatewayContext): FastifyInstance {
  const app = fastify({
    bodyLimit: 64 * 1024,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true },
  })
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(body.toString()).entries())),
  )
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send(errorBody(new GatewayError(404, 'NOT_FOUND', 'Endpoint not found'))),
  )
  app.setErrorHandler((error, _request, reply) => {
    const known =
      error instanceof GatewayError
        ? error
        : new GatewayError(statusOf(error), 'BAD_REQUEST', 'The request could not be read')
    return reply.code(known.statusCode).send(errorBody(known))
  })
  registerApi(app, context)
  registerPayPage(app, context)
  registerControl(app, context)
  return app
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 ? status : 500
}

function strongRandom(): number {
  return randomBytes(6).readUIntBE(0, 6) / 2 ** 48
}
