import type { Database } from '../platform/db/database.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { EnqueueReceipt } from './credit-order.ts'
import { finishReading, markPaymentMissing } from './payment-queries.ts'
import type { ClaimedPayment } from './payment-queries.ts'
import { PaymentProviderError } from './provider.ts'
import type { PaymentFacts, PaymentProvider, ProviderName } from './provider.ts'
import { nextReadAt, retryReadAt } from './reading-times.ts'
import { settlePayment } from './settle-payment.ts'

export interface ReadingParts {
  database: Database
  log: Logger
  clock: () => Date
  findProvider: (name: ProviderName) => PaymentProvider | undefined
  enqueueReceipt: EnqueueReceipt
}

/**
 * Reads a claimed payment at its provider, settles it, and sets when it is read next; a failure is
 * logged and tried again later. Answers true when a callback came meanwhile, so that it is due again.
 */
export async function readAndSettle(
  parts: ReadingParts,
  claimed: ClaimedPayment,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, clock } = parts
  const next = await tryReading(parts, claimed, signal).catch((error: unknown) => {
    logFailure(parts.log, claimed, error)
    return { nextReadAt: retryReadAt(claimed, clock()), isRead: false }
  })
  return finishReading(database, claimed, { ...next, now: clock() })
}

async function tryReading(parts: ReadingParts, claimed: ClaimedPayment, signal: AbortSignal) {
  const { database, clock, enqueueReceipt } = parts
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
  const reading = { provider: claimed.provider, facts, now: clock(), enqueueReceipt }
  logOutcome(parts.log, facts, await settlePayment(database, reading))
  return { nextReadAt: nextReadAt(claimed, facts.state, clock()), isRead: true }
}

function logOutcome(log: Logger, facts: PaymentFacts, outcome: string): void {
  const details = { paymentId: facts.paymentId, orderId: facts.orderId, outcome }
  if (facts.state === 'unknown') {
    log.warn({ ...details, status: facts.providerStatus }, 'a payment has an unknown status')
  } else if (outcome === 'unknown_order') log.warn(details, 'a payment is for no order of ours')
  else log.info(details, 'a payment was read')
}

function logFailure(log: Logger, claimed: ClaimedPayment, error: unknown): void {
  const details = { provider: claimed.provider, paymentId: claimed.paymentId, err: error }
  if (error instanceof PaymentProviderError) log.warn(details, 'a payment could not be read')
  else log.error(details, 'a payment could not be settled')
}
