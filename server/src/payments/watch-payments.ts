import { createBackgroundWork } from '../platform/background-work.ts'
import { createFairQueue } from '../platform/http/fair-queue.ts'
import type { PlatformParts } from '../platform/parts.ts'
import type { EnqueueReceipt } from './credit-order.ts'
import {
  claimDuePayments,
  makePaymentDue,
  finishReading,
  markPaymentMissing,
} from './payment-queries.ts'
import type { PaymentKey, PaymentRow } from './payment-queries.ts'
import { PaymentProviderError } from './provider.ts'
import type { PaymentFacts, PaymentProvider, ProviderName } from './provider.ts'
import { nextReadAt, retryReadAt } from './reading-times.ts'
import { settlePayment } from './settle-payment.ts'

/** Reads payments from their providers and settles them: after a callback, and again as due. */
export type PaymentWatcher = ReturnType<typeof createPaymentWatcher>

/** Longer than the slowest reading; a killed reader's payment is free again after it. */
const leaseMs = 45_000
const readingsAtOnce = 8

export function createPaymentWatcher(parts: ReadingParts) {
  const { database, log, clock } = parts
  const stop = new AbortController()
  const claim = (only: PaymentKey | undefined, limit: number) =>
    claimDuePayments(database, { only, now: clock(), leaseMs, limit })

  const places = createFairQueue({ atOnceMax: readingsAtOnce })
  const readings = createBackgroundWork((error) => {
    // What waited for its turn at a stop stays due.
    if (error !== stop.signal.reason) log.error({ err: error }, 'a payment could not be settled')
  })
  const waiting = new Set<string>()

  /** Reads a payment when it is its turn, after what runs of it; one that waits already waits once. */
  function read(key: PaymentKey): void {
    const name = `${key.provider} ${key.payment_id}`
    if (waiting.has(name)) return
    waiting.add(name)
    const task = async () => {
      waiting.delete(name)
      const [claimed] = await claim(key, 1)
      if (claimed !== undefined && (await readAndSettle(parts, claimed, stop.signal))) read(claimed)
    }
    readings.run(() => places.run(name, task, stop.signal))
  }

  async function makeDue(key: PaymentKey, isCallback: boolean): Promise<void> {
    const now = clock()
    await makePaymentDue(database, { ...key, at: now, now, isCallback })
    read(key)
  }

  return {
    /** Keeps the fact that a callback came, durably, and begins to read without making it wait. */
    noticeCallback: (key: PaymentKey) => makeDue(key, true),
    /** Reads a payment soon, unless somebody is reading it. */
    readSoon: (key: PaymentKey) => makeDue(key, false),
    /** Reads everything that is due now, on this node. */
    async readDue(signal: AbortSignal) {
      const either = AbortSignal.any([signal, stop.signal])
      while (!either.aborted) {
        const claimed = await claim(undefined, readingsAtOnce)
        if (claimed.length === 0) return
        const again = await Promise.all(
          claimed.map((payment) => readAndSettle(parts, payment, either)),
        )
        for (const payment of claimed.filter((_payment, index) => again[index])) read(payment)
      }
    },
    async whenIdle() {
      while (readings.count() > 0) await readings.settled()
    },
    /** Begins nothing new and ends what is under way. */
    async close() {
      stop.abort()
      await readings.settled()
    },
  }
}

interface ReadingParts extends Pick<PlatformParts, 'clock' | 'database' | 'log'> {
  findProvider: (name: ProviderName) => PaymentProvider | undefined
  enqueueReceipt: EnqueueReceipt
}

/**
 * Reads a claimed payment at its provider, settles it, and sets when it is read next; a failure is
 * logged and tried again later. Answers true when a callback came meanwhile, so that it is due again.
 */
async function readAndSettle(parts: ReadingParts, claimed: PaymentRow, signal: AbortSignal) {
  const { database, clock } = parts
  const next = await tryReading(parts, claimed, signal).catch((error: unknown) => {
    logFailure(parts.log, claimed, error)
    return { nextReadAt: retryReadAt(claimed, clock()), isRead: false }
  })
  return finishReading(database, claimed, { ...next, now: clock() })
}

async function tryReading(parts: ReadingParts, claimed: PaymentRow, signal: AbortSignal) {
  const { database, clock, enqueueReceipt } = parts
  const provider = parts.findProvider(claimed.provider)
  if (provider === undefined) {
    throw new PaymentProviderError(`${claimed.provider} is not set up any more`)
  }
  const facts = await provider.fetchPayment(claimed.payment_id, signal)
  if (facts === undefined) {
    await markPaymentMissing(database, claimed)
    return { nextReadAt: retryReadAt(claimed, clock()), isRead: true }
  }
  const reading = { provider: claimed.provider, facts, now: clock(), enqueueReceipt }
  logOutcome(parts.log, facts, await settlePayment(database, reading))
  return { nextReadAt: nextReadAt(claimed, facts.state, clock()), isRead: true }
}

function logOutcome(log: ReadingParts['log'], facts: PaymentFacts, outcome: string): void {
  const details = { paymentId: facts.paymentId, orderId: facts.orderId, outcome }
  if (facts.state === 'unknown') {
    log.warn({ ...details, status: facts.providerStatus }, 'a payment has an unknown status')
  } else if (outcome === 'unknown_order') log.warn(details, 'a payment is for no order of ours')
  else log.info(details, 'a payment was read')
}

function logFailure(log: ReadingParts['log'], claimed: PaymentRow, error: unknown): void {
  const details = { provider: claimed.provider, paymentId: claimed.payment_id, err: error }
  if (error instanceof PaymentProviderError) log.warn(details, 'a payment could not be read')
  else log.error(details, 'a payment could not be settled')
}
