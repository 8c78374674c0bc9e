import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../platform/errors/app-error.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { PaymentProvider } from './provider.ts'
import type { PaymentWatcher } from './watch-payments.ts'

/**
 * Takes a provider's callback. A signed one is kept durably before it is answered, and only then
 * the payment is read with our own key, without making the provider wait: it gives us three
 * seconds. Throws `signature_invalid`; nonsense that is signed is accepted and logged, because a
 * repetition would bring nothing else; an outage of ours is left to fail, so that it is sent again.
 */
export async function receiveCallback(
  parts: {
    /** Those that speak this protocol; the one whose signature it bears gets it. */
    providers: readonly PaymentProvider[]
    watcher: PaymentWatcher
    log: Logger
  },
  rawBody: Buffer,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const { watcher, log } = parts
  for (const provider of parts.providers) {
    const verdict = provider.verifyCallback(rawBody, headers)
    if (verdict.outcome === 'payment') {
      const { paymentId } = verdict
      return watcher.noticeCallback({ provider: provider.name, paymentId })
    }
    if (verdict.outcome === 'ignored') {
      const { reason } = verdict
      return log.warn({ provider: provider.name, reason }, 'a signed callback was ignored')
    }
  }
  log.warn({ bytes: rawBody.length }, 'a callback has a wrong signature')
  throw new AppError('signature_invalid')
}
