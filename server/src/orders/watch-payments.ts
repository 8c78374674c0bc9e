import type { Database } from '../db/database.ts'
import type { Logger } from '../logging/logger.ts'
import type { EnqueueReceipt } from './credit-order.ts'
import {
  claimDuePayments,
  finishReading,
  makePaymentDue,
  markPaymentMissing,
} from './payment-queries.ts'
import type { ClaimedPayment, PaymentKey } from './payment-queries.ts'
import { PaymentProviderError } from './provider.ts'
import type { PaymentFacts, PaymentProvider, ProviderName } from './provider.ts'
import { nextReadAt, retryReadAt } from './reading-times.ts'
import { settlePayment } from './settle-payment.ts'

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

export function createPaymentWatcher(parts: {
  database: Database
  log: Logger
  clock: () => Date
  findProvider: (name: ProviderName) => PaymentProvider | undefined
  enqueueReceipt: EnqueueReceipt
}): PaymentWatcher {
  const { database, log, clock } = parts
  const stop = new AbortController()
  const running = new Map<string, Promise<void>>()
  const waiting = new Map<string, PaymentKey>()

  /** At most `readingsAtOnce` at a time, and one at a time for each payment. */
  function pump(): void {
    for (const [name, key] of waiting) {
      if (running.size >= readingsAtOnce || stop.signal.aborted) return
      if (running.has(name)) continue
      waiting.delete(name)
      const work = readOne(key)
        .catch((error: unknown) => log.error({ err: error }, 'a payment could not be settled'))
        .finally(() => {
          running.delete(name)
          pump()
        })
      running.set(name, work)
    }
  }

  async function readOne(key: PaymentKey): Promise<void> {
    const [claimed] = await claimDuePayments(database, {
      only: key,
      now: clock(),
      leaseMs,
      limit: 1,
    })
    if (claimed !== undefined) await readClaimed(claimed, stop.signal)
  }

  async function readClaimed(claimed: ClaimedPayment, signal: AbortSignal): Promise<void> {
    const next = await readAndSettle(claimed, signal).catch((error: unknown) => {
      tellFailure(claimed, error)
      return { nextReadAt: retryReadAt(claimed, clock()), isRead: false }
    })
    const again = await finishReading(database, claimed, { ...next, now: clock() })
    if (again) queue(claimed)
  }

  async function readAndSettle(claimed: ClaimedPayment, signal: AbortSignal) {
    const provider = parts.findProvider(claimed.provider)
    if (provider === undefined) {
      throw new PaymentProviderError(`${claimed.provider} is not set up any more`, {
        isRetryable: true,
      })
    }
    const facts = await provider.fetchPayment(claimed.paymentId, signal)
    if (facts === undefined) {
      await markPaymentMissing(database, claimed)
      return { nextReadAt: retryReadAt(claimed, clock()), isRead: true }
    }
    const outcome = await settlePayment(database, {
      provider: claimed.provider,
      facts,
      now: clock(),
      enqueueReceipt: parts.enqueueReceipt,
    })
    tellOutcome(facts, outcome)
    return { nextReadAt: nextReadAt(claimed, facts.state, clock()), isRead: true }
  }

  function tellOutcome(facts: PaymentFacts, outcome: string): void {
    const details = { paymentId: facts.paymentId, orderId: facts.orderId, outcome }
    if (facts.state === 'unknown') {
      log.warn({ ...details, status: facts.providerStatus }, 'a payment has an unknown status')
    } else if (outcome === 'unknown_order') log.warn(details, 'a payment is for no order of ours')
    else log.info(details, 'a payment was read')
  }

  function tellFailure(key: PaymentKey, error: unknown): void {
    const details = { provider: key.provider, paymentId: key.paymentId, err: error }
    if (error instanceof PaymentProviderError) log.warn(details, 'a payment could not be read')
    else log.error(details, 'a payment could not be settled')
  }

  function queue(key: PaymentKey): void {
    const { provider, paymentId } = key
    waiting.set(`${provider} ${paymentId}`, { provider, paymentId })
    pump()
  }

  return {
    noticeCallback: async (key) => {
      const now = clock()
      await makePaymentDue(database, { ...key, at: now, now, isCallback: true })
      queue(key)
    },
    readSoon: async (key) => {
      const now = clock()
      await makePaymentDue(database, { ...key, at: now, now, isCallback: false })
      queue(key)
    },
    readDue: async (signal) => {
      for (;;) {
        if (signal.aborted || stop.signal.aborted) return
        const claimed = await claimDuePayments(database, {
          now: clock(),
          leaseMs,
          limit: readingsAtOnce,
        })
        if (claimed.length === 0) return
        const either = AbortSignal.any([signal, stop.signal])
        await Promise.all(claimed.map((payment) => readClaimed(payment, either)))
      }
    },
    whenIdle: async () => {
      while (running.size > 0) await Promise.all(running.values())
    },
    close: async () => {
      waiting.clear()
      stop.abort()
      await Promise.all(running.values())
    },
  }
}
