import { createHash, createHmac } from 'node:crypto'
import type { Clock } from './gateway.ts'
import { callbackFields } from './payments.ts'
import type { Payment } from './payments.ts'

/** How callbacks are sent: everything but the defaults exists to test their receiver. */
export interface CallbackOptions {
  /** Extra identical copies of every callback. */
  duplicates: number
  /** Sends the callbacks of one action in a random order. */
  reorder: boolean
  /** Sends nothing: the callback is lost. */
  silent: boolean
  /** What is wrong with it on purpose. */
  forge: Forgery | null
}

/** The receiver has to answer within this time, as with the real gateway. */
const answerTimeoutMs = 3_000
/** Callbacks sent out of order are spread over at least this long. */
const reorderWindowMs = 50

export type Callbacks = ReturnType<typeof createCallbacks>

/** Sends callbacks, repeated after each of `retryDelaysMs` until a 2xx comes. */
export function createCallbacks(parts: {
  clock: Clock
  fetch: typeof fetch
  random: () => number
  ipnSecret: string
  retryDelaysMs: readonly number[]
  signal: AbortSignal
}) {
  const { clock, random, signal } = parts
  const running = new Map<Promise<void>, number>()
  let lastStatus: number | null = null

  async function deliver(url: string, callback: Composed, waitsMs: readonly number[]) {
    for (const waitMs of waitsMs) {
      await clock.sleep(waitMs, signal)
      if (signal.aborted) return
      lastStatus = await post(url, callback)
      if (lastStatus !== null && lastStatus >= 200 && lastStatus < 300) return
    }
  }

  /** The receiver's status; null when it could not be reached in time. */
  async function post(url: string, { body, signature }: Composed): Promise<number | null> {
    const signed = signature === null ? {} : { 'x-nowpayments-sig': signature }
    try {
      const response = await parts.fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json', ...signed },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
      })
      await response.body?.cancel()
      return response.status
    } catch {
      return null
    }
  }

  return {
    /** Sends the callback of `payment`; out of order within `windowMs` where that is asked for. */
    send(payment: Payment, options: CallbackOptions, windowMs: number) {
      const { ipn_callback_url: url } = payment
      if (options.silent || url === null) return
      const composed = composeCallback(payment, options.forge, parts.ipnSecret)
      // Whoever forges doesn't wait for the answer.
      const retryDelaysMs = options.forge === null ? parts.retryDelaysMs : []
      for (let copy = 0; copy <= options.duplicates; copy += 1) {
        const shuffleMs = options.reorder ? random() * (windowMs + reorderWindowMs) : 0
        const waitsMs = [shuffleMs, ...retryDelaysMs]
        const work = deliver(url, composed, waitsMs).finally(() => running.delete(work))
        running.set(work, payment.payment_id)
      }
    },
    /** True while callbacks, of one payment or of all, are on their way. */
    isSending: (paymentId?: number) =>
      paymentId === undefined ? running.size > 0 : [...running.values()].includes(paymentId),
    lastStatus: () => lastStatus,
    async whenQuiet() {
      while (running.size > 0) await Promise.all(running.keys())
    },
  }
}

/** A copy of `value` whose objects, at every depth, have their keys in alphabetical order. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  )
}

interface Composed {
  body: string
  signature: string | null
}

/** The bytes and the signature of one callback, spoilt as `forge` asks. */
function composeCallback(payment: Payment, forge: Forgery | null, ipnSecret: string): Composed {
  const fields = callbackFields(payment)
  const spell = (changes: object) => JSON.stringify(sortKeys({ ...fields, ...changes }))
  const sign = (body: string) => ({
    body,
    signature: createHmac('sha512', ipnSecret.trim()).update(body).digest('hex'),
  })
  const honest = sign(spell({}))
  return forge === null ? honest : forgeries[forge](honest, { spell, sign })
}

interface Parts {
  /** The body with some fields changed. */
  spell: (changes: object) => string
  sign: (body: string) => Composed
}

const forgeries = {
  signature: ({ body }) => ({ body, signature: createHash('sha512').update(body).digest('hex') }),
  'no-signature': ({ body }) => ({ body, signature: null }),
  // The signature belongs to the honest body; the status inside was changed on the way.
  body: ({ signature }, { spell }) => ({
    body: spell({ payment_status: 'finished', price_amount: 1 }),
    signature,
  }),
  truncated: ({ body }, { sign }) => sign(body.slice(0, body.length / 2)),
  nested: (_honest, { sign }) => sign(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`),
  price: (_honest, { sign, spell }) => sign(spell({ price_amount: 0.01 })),
  currency: (_honest, { sign, spell }) => sign(spell({ price_currency: 'trx' })),
  order: (_honest, { sign, spell }) => sign(spell({ order_id: 'order_unknown_aaaaaa' })),
} satisfies Record<string, (honest: Composed, parts: Parts) => Composed>
export type Forgery = keyof typeof forgeries
export const forgeryNames = Object.keys(forgeries) as [Forgery, ...Forgery[]]
