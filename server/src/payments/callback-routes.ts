import { paymentProviders } from '@starside/contract/payment-providers.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors/app-error.ts'
import type { Payments } from './payments.ts'
import { receiveCallback } from './receive-callback.ts'

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
