import type { IncomingHttpHeaders } from 'node:http'
import { paymentProviders } from '@starside/contract/payment-providers.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors/app-error.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { Payments } from './payments.ts'
import type { PaymentProvider } from './provider.ts'
import type { PaymentWatcher } from './watch-payments.ts'

/** A real notification has about one kilobyte. */
const callbackBytesMax = 64 * 1024

/** Callbacks are taken as raw bytes: their signature is over the bytes, not over what they mean. */
export async function callbackRoutes(
  scope: FastifyInstance,
  { payments }: { payments: Payments },
): Promise<void> {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: callbackBytesMax },
    (_request, body, done) => done(null, body),
  )
  const take = (path: string) => async (request: FastifyRequest) => {
    const providers = payments.all.filter(
      ({ name }) => paymentProviders[name].callbackPath === path,
    )
    if (providers.length === 0) throw new AppError('not_found')
    const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const { watcher } = payments
    await receiveCallback({ providers, watcher, log: request.log }, rawBody, request.headers)
    return { success: true }
  }
  const paths = new Set(Object.values(paymentProviders).map(({ callbackPath }) => callbackPath))
  for (const path of paths) scope.post(path, take(path))
}

/**
 * Takes a provider's callback. A signed one is kept durably before it is answered, and only then
 * the payment is read with our own key, without making the provider wait: it gives us three
 * seconds. Throws `signature_invalid`; nonsense that is signed is accepted and logged, because a
 * repetition would bring nothing else; an outage of ours is left to fail, so that it is sent again.
 */
async function receiveCallback(
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
