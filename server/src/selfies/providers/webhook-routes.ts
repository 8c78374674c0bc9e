import { queryText } from '../../platform/http/parse-input.ts'
import type { FastifyInstance } from 'fastify'
import type { SelfieParts } from '../parts.ts'
import { receiveFalWebhook } from './receive-webhook.ts'
import { falWebhookPath } from './webhook-url.ts'

/** A webhook carries addresses, not pictures. */
const webhookBytesMax = 1024 * 1024

/** Where image vendors say how a request ended. The body is taken raw: the signature is over it. */
export async function imageWebhookRoutes(
  scope: FastifyInstance,
  {
    context,
    receive = receiveFalWebhook,
  }: { context: SelfieParts; receive?: typeof receiveFalWebhook },
): Promise<void> {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: webhookBytesMax },
    (_request, body, done) => done(null, body),
  )
  scope.post(falWebhookPath, async (request) => {
    await receive(context, {
      attemptId: queryText(request, 'attempt') ?? '',
      token: queryText(request, 'token') ?? '',
      headers: request.headers,
      rawBody: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    })
    return { success: true }
  })
}
