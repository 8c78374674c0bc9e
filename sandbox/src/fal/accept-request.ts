import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { drawSelfie } from '../pictures/draw-selfie.ts'
import type { Behaviour } from './behaviour.ts'
import { requestResult, requestStatus } from './queued-requests.ts'
import type { QueuedRequest } from './queued-requests.ts'
import type { WebhookSender } from './send-webhooks.ts'
import { sleep } from './send-webhooks.ts'

/** What the stand-in keeps while it runs. */
export interface Sandbox {
  /** The key that callers send. */
  apiKey: string
  now: () => number
  requests: Map<string, QueuedRequest>
  submits: number
  scripted: Behaviour[]
  usual: Behaviour
  sender: WebhookSender
  stop: AbortSignal
  url: string
}

/** What fal's queue takes. */
export interface FalSubmit {
  Body: Record<string, unknown>
  Querystring: { fal_webhook?: string }
}

export function accept(
  sandbox: Sandbox,
  request: FastifyRequest<FalSubmit>,
  behaviour: Behaviour,
): QueuedRequest {
  const { body: input } = request
  const { fal_webhook: webhookUrl } = request.query
  const model = new URL(request.url, sandbox.url).pathname.slice(1)
  const queued: QueuedRequest = {
    requestId: randomUUID(),
    model,
    input,
    webhookUrl,
    behaviour,
    acceptedAtMs: sandbox.now(),
    isCancelled: false,
    polls: 0,
    downloads: 0,
    webhookAnswers: [],
    picture: drawSelfie(readPhotos(input)),
  }
  // Its download reports the failure; nobody else waits for it.
  queued.picture.catch(() => {})
  sandbox.requests.set(queued.requestId, queued)
  return queued
}

function readPhotos(input: Record<string, unknown>): Buffer[] {
  const urls: unknown = input['image_urls']
  const list: unknown[] = Array.isArray(urls) ? urls : []
  return list.map((url) => Buffer.from(String(url).split(',')[1] ?? '', 'base64'))
}

/** Waits until the request has ended, then reports it by webhook. */
export async function finish(sandbox: Sandbox, queued: QueuedRequest): Promise<void> {
  const { behaviour } = queued
  if (behaviour.end === 'never') return
  await sleep(behaviour.queueMs + behaviour.workMs, sandbox.stop)
  if (sandbox.stop.aborted) return
  const url = behaviour.file === 'data_url' ? await dataUrl(queued) : fileUrl(sandbox, queued)
  await sandbox.sender.send(queued, requestResult(queued, url))
}

export function acceptance(sandbox: Sandbox, queued: QueuedRequest): object {
  const [owner, alias] = queued.model.split('/')
  const isForeign = queued.behaviour.submit === 'foreign_urls'
  const host = isForeign ? 'http://127.0.0.1:9' : sandbox.url
  const base = `${host}/${owner}/${alias}/requests/${queued.requestId}`
  return {
    request_id: queued.requestId,
    gateway_request_id: queued.requestId,
    status: 'IN_QUEUE',
    queue_position: queuePosition(sandbox, queued),
    response_url: base,
    status_url: `${base}/status`,
    cancel_url: `${base}/cancel`,
    logs: null,
    metrics: {},
  }
}

export function queuePosition(sandbox: Sandbox, queued: QueuedRequest): number {
  const open = [...sandbox.requests.values()].filter(
    (other) => requestStatus(other, sandbox.now()) === 'IN_QUEUE',
  )
  return Math.max(0, open.indexOf(queued))
}

export function fileUrl(sandbox: Sandbox, queued: QueuedRequest): string {
  const { file } = queued.behaviour
  if (file === 'at_private') return 'http://169.254.169.254/latest/meta-data/picture.jpg'
  if (file === 'at_foreign') return 'https://pictures.example.com/picture.jpg'
  return `${sandbox.url}/files/${queued.requestId}`
}

async function dataUrl(queued: QueuedRequest): Promise<string> {
  return `data:image/jpeg;base64,${(await queued.picture).toString('base64')}`
}
