import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { sleep } from './scripted-server.ts'
import type { QueuedRequest } from './fal-server.ts'

/** The user id that stands in the headers. */
const userId = 'sandbox-user'
const answerTimeoutMs = 15_000

/** How a webhook gets to its receiver; `fetch`, unless a test leads it elsewhere. */
export type PostWebhook = (url: string, init: RequestInit) => Promise<Response>

/** Signs and delivers webhooks like fal: Ed25519 over ids, time and the body's SHA-256. */
export function createWebhookSender(parts: {
  fetch: PostWebhook
  now: () => number
  /** Milliseconds before each repetition of a webhook that was not answered with a 2xx. */
  retryDelaysMs: readonly number[]
  signal: AbortSignal
}) {
  const keys = generateKeyPairSync('ed25519')
  const stranger = generateKeyPairSync('ed25519')
  let underWay = 0

  function headersOf({ requestId, behaviour: { webhook } }: QueuedRequest, body: string) {
    if (webhook === 'unsigned') return {}
    const ageSeconds = webhook === 'old' ? 400 : 0
    const timestamp = String(Math.floor(parts.now() / 1000) - ageSeconds)
    const key = webhook === 'forged' ? stranger.privateKey : keys.privateKey
    return signedHeaders({ requestId, timestamp, body, key })
  }

  async function deliver(queued: QueuedRequest, body: string): Promise<void> {
    for (const delayMs of [0, ...parts.retryDelaysMs]) {
      await sleep(delayMs, parts.signal)
      if (parts.signal.aborted) return
      const headers = { 'content-type': 'application/json', ...headersOf(queued, body) }
      const signal = AbortSignal.any([parts.signal, AbortSignal.timeout(answerTimeoutMs)])
      const status = await parts
        .fetch(queued.webhookUrl ?? '', {
          method: 'POST',
          redirect: 'manual',
          headers,
          body,
          signal,
        })
        .then(
          async (response) => {
            await response.body?.cancel()
            return response.status
          },
          () => 0,
        )
      queued.webhookAnswers.push(status)
      if (status >= 200 && status < 400) return
    }
  }

  return {
    /** The public keys, as fal publishes them (RFC 8037). */
    keySet: () => ({
      keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'sandbox', use: 'sig' }],
    }),
    /** Sends what the request's behaviour says, and again while the receiver fails. */
    async send(queued: QueuedRequest, result: { status: number; body: object }): Promise<void> {
      const { webhook } = queued.behaviour
      if (webhook === 'none' || queued.webhookUrl === undefined || queued.isCancelled) return
      underWay += 1
      const body = webhookBody(queued, result)
      const times = webhook === 'twice' ? 2 : 1
      await Promise.all(Array.from({ length: times }, () => deliver(queued, body))).finally(
        () => (underWay -= 1),
      )
    },
    isBusy: () => underWay > 0,
  }
}

function webhookBody(queued: QueuedRequest, { status, body }: { status: number; body: object }) {
  const isOk = status === 200
  const requestId =
    queued.behaviour.webhook === 'wrong_request' ? crypto.randomUUID() : queued.requestId
  return JSON.stringify({
    request_id: requestId,
    gateway_request_id: requestId,
    status: isOk ? 'OK' : 'ERROR',
    ...(isOk ? {} : { error: `Unexpected status code: ${status}` }),
    payload: body,
  })
}

/** The four headers of a signed webhook. */
function signedHeaders(parts: {
  requestId: string
  timestamp: string
  body: string
  key: KeyObject
}): Record<string, string> {
  const { requestId, timestamp, body, key } = parts
  const hash = createHash('sha256').update(body).digest('hex')
  const message = Buffer.from([requestId, userId, timestamp, hash].join('\n'))
  return {
    'x-fal-webhook-request-id': requestId,
    'x-fal-webhook-user-id': userId,
    'x-fal-webhook-timestamp': timestamp,
    'x-fal-webhook-signature': sign(null, message, key).toString('hex'),
  }
}
