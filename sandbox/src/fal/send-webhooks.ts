import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { QueuedRequest } from './queued-requests.ts'

/** The user id that stands in the headers. */
const userId = 'sandbox-user'
const answerTimeoutMs = 15_000

export interface WebhookSender {
  /** The public keys, as fal publishes them (RFC 8037). */
  keySet(): object
  /** Sends what the request's behaviour says, and again while the receiver fails. */
  send(queued: QueuedRequest, result: { status: number; body: object }): Promise<void>
  busy(): boolean
}

/** How a webhook gets to its receiver; `fetch`, unless a test leads it elsewhere. */
export type PostWebhook = (url: string, init: RequestInit) => Promise<Response>

/** Signs and delivers webhooks like fal: Ed25519 over ids, time and the body's SHA-256. */
export function createWebhookSender(parts: {
  fetch: PostWebhook
  now: () => number
  retryDelaysMs: readonly number[]
  signal: AbortSignal
}): WebhookSender {
  const keys = generateKeyPairSync('ed25519')
  const stranger = generateKeyPairSync('ed25519')
  let underWay = 0

  async function send(
    queued: QueuedRequest,
    result: { status: number; body: object },
  ): Promise<void> {
    const { webhook } = queued.behaviour
    if (webhook === 'none' || queued.webhookUrl === undefined || queued.isCancelled) return
    underWay += 1
    try {
      const body = webhookBody(queued, result)
      const times = webhook === 'twice' ? 2 : 1
      await Promise.all(Array.from({ length: times }, () => deliver(queued, body)))
    } finally {
      underWay -= 1
    }
  }

  async function deliver(queued: QueuedRequest, body: string): Promise<void> {
    for (const delayMs of [0, ...parts.retryDelaysMs]) {
      await sleep(delayMs, parts.signal)
      if (parts.signal.aborted) return
      const status = await post(parts, queued, { body, headers: headersOf(queued, body) })
      queued.webhookAnswers.push(status)
      if (status >= 200 && status < 400) return
    }
  }

  function headersOf(queued: QueuedRequest, body: string): Record<string, string> {
    const { webhook } = queued.behaviour
    if (webhook === 'unsigned') return {}
    const ageSeconds = webhook === 'old' ? 400 : 0
    const timestamp = String(Math.floor(parts.now() / 1000) - ageSeconds)
    const key = webhook === 'forged' ? stranger.privateKey : keys.privateKey
    return signedHeaders({ requestId: queued.requestId, timestamp, body, key })
  }

  return {
    keySet: () => ({
      keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'sandbox', use: 'sig' }],
    }),
    send,
    busy: () => underWay > 0,
  }
}

/** The receiver's status; 0 when it could not be reached in time. */
async function post(
  parts: { fetch: PostWebhook; signal: AbortSignal },
  { webhookUrl }: QueuedRequest,
  { body, headers }: { body: string; headers: Record<string, string> },
): Promise<number> {
  try {
    const response = await parts.fetch(webhookUrl ?? '', {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.any([parts.signal, AbortSignal.timeout(answerTimeoutMs)]),
    })
    await response.body?.cancel()
    return response.status
  } catch {
    return 0
  }
}

function webhookBody(queued: QueuedRequest, result: { status: number; body: object }): string {
  const isOk = result.status === 200
  const requestId =
    queued.behaviour.webhook === 'wrong_request' ? crypto.randomUUID() : queued.requestId
  return JSON.stringify({
    request_id: requestId,
    gateway_request_id: requestId,
    status: isOk ? 'OK' : 'ERROR',
    ...(isOk ? {} : { error: `Unexpected status code: ${result.status}` }),
    payload: result.body,
  })
}

/** The four headers of a signed webhook. */
export function signedHeaders(parts: {
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

/** Resolves after `ms`, or at once when `signal` is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || ms === 0) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
