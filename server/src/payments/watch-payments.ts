import { createKeyedQueue } from './keyed-queue.ts'
import { claimDuePayments, makePaymentDue } from './payment-queries.ts'
import type { PaymentKey } from './payment-queries.ts'
import { readAndSettle } from './read-and-settle.ts'
import type { ReadingParts } from './read-and-settle.ts'

/** Reads payments from their providers and settles them: after a callback, and again as due. */
export interface PaymentWatcher {
  /** Keeps the fact that a callback came, durably, and begins to read without making it wait. */
  noticeCallback(key: PaymentKey): Promise<void>
  /** Reads a payment soon, unless somebody is reading it. */
  readSoon(key: PaymentKey): Promise<void>
  /** Reads everything that is due now, on this node. */
  readDue(signal: AbortSignal): Promise<void>
  /** Resolves when no reading is under way. */
  whenIdle(): Promise<void>
  /** Begins nothing new and ends what is under way. */
  close(): Promise<void>
}

/** Longer than the slowest reading; a killed reader's payment is free again after it. */
const leaseMs = 45_000
const readingsAtOnce = 8

export function createPaymentWatcher(parts: ReadingParts): PaymentWatcher {
  const { database, log, clock } = parts
  const stop = new AbortController()
  const claim = (only: PaymentKey | undefined, limit: number) =>
    claimDuePayments(database, { only, now: clock(), leaseMs, limit })

  const queue = createKeyedQueue<PaymentKey>({
    concurrency: readingsAtOnce,
    nameOf: ({ provider, paymentId }) => `${provider} ${paymentId}`,
    async run(key) {
      const [claimed] = await claim(key, 1)
      if (claimed !== undefined && (await readAndSettle(parts, claimed, stop.signal))) {
        queue.add(claimed)
      }
    },
    onError: (error) => log.error({ err: error }, 'a payment could not be settled'),
  })

  async function makeDue(key: PaymentKey, isCallback: boolean): Promise<void> {
    const now = clock()
    await makePaymentDue(database, { ...key, at: now, now, isCallback })
    queue.add(key)
  }

  return {
    noticeCallback: (key) => makeDue(key, true),
    readSoon: (key) => makeDue(key, false),
    async readDue(signal) {
      const either = AbortSignal.any([signal, stop.signal])
      while (!either.aborted) {
        const claimed = await claim(undefined, readingsAtOnce)
        if (claimed.length === 0) return
        const again = await Promise.all(
          claimed.map((payment) => readAndSettle(parts, payment, either)),
        )
        for (const payment of claimed.filter((_payment, index) => again[index])) queue.add(payment)
      }
    },
    whenIdle: queue.whenIdle,
    async close() {
      stop.abort()
      await queue.stop()
    },
  }
}
