import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { drawSelfie } from '../pictures/draw-selfie.ts'
import { readBehaviour, usualBehaviour } from './behaviour.ts'
import type { Behaviour } from './behaviour.ts'
import { requestResult, requestStatus } from './queued-requests.ts'
import type { QueuedRequest } from './queued-requests.ts'
import { createWebhookSender, sleep } from './send-webhooks.ts'
import type { PostWebhook, WebhookSender } from './send-webhooks.ts'
import { serveFile } from './serve-file.ts'

export interface FalSandboxOptions {
  /** 0 takes any free port. */
  port: number
  host: string
  /** The key that callers send as `Authorization: Key …`. */
  apiKey: string
  fetch?: PostWebhook
  now?: () => number
  /** Milliseconds before each repetition of a webhook that was not answered with a 2xx. */
  retryDelaysMs?: readonly number[]
}

export interface RunningFalSandbox {
  /** The address it listens on: the queue, the key set and the files. */
  url: string
  /** Everything that was requested, oldest first. */
  requests(): readonly QueuedRequest[]
  /** Orders that came in at all, also those that were dropped or turned away. */
  submits(): number
  /** The next requests are treated like this, one each; then the usual way again. */
  next(...behaviours: Partial<Behaviour>[]): void
  /** How requests are treated that nothing else is said about. */
  usually(behaviour: Partial<Behaviour>): void
  /** Sends a request's webhook once more. */
  resend(requestId: string, webhook: Behaviour['webhook']): Promise<void>
  /** Resolves when no webhook is under way. */
  whenQuiet(): Promise<void>
  close(): Promise<void>
}

interface Sandbox {
  options: FalSandboxOptions
  now: () => number
  requests: Map<string, QueuedRequest>
  submits: number
  scripted: Behaviour[]
  usual: Behaviour
  sender: WebhookSender
  stop: AbortSignal
  url: string
}

/** Photos as base64 make a request large. */
const orderBytesMax = 64 * 1024 * 1024

/**
 * Starts a stand-in for fal's queue: the same calls, statuses, errors and signed webhooks. It
 * answers with a picture made of the two photos of the request.
 */
export async function startFalSandbox(options: FalSandboxOptions): Promise<RunningFalSandbox> {
  const stop = new AbortController()
  const now = options.now ?? (() => Date.now())
  const sender = createWebhookSender({
    fetch: options.fetch ?? fetch,
    now,
    retryDelaysMs: options.retryDelaysMs ?? [500, 2_000, 10_000],
    signal: stop.signal,
  })
  const sandbox: Sandbox = {
    options,
    now,
    requests: new Map(),
    submits: 0,
    scripted: [],
    usual: usualBehaviour,
    sender,
    stop: stop.signal,
    url: '',
  }
  const app = buildApp(sandbox)
  sandbox.url = await app.listen({ port: options.port, host: options.host })
  return {
    url: sandbox.url,
    requests: () => [...sandbox.requests.values()],
    submits: () => sandbox.submits,
    next: (...behaviours) => sandbox.scripted.push(...behaviours.map(readBehaviour)),
    usually: (behaviour) => (sandbox.usual = readBehaviour(behaviour)),
    async resend(requestId, webhook) {
      const queued = sandbox.requests.get(requestId)
      if (queued === undefined) throw new Error(`there is no request ${requestId}`)
      const again = { ...queued, behaviour: { ...queued.behaviour, webhook } }
      await sender.send(again, requestResult(queued, fileUrl(sandbox, queued)))
    },
    async whenQuiet() {
      while (sender.busy()) await sleep(5, stop.signal)
    },
    async close() {
      stop.abort()
      await app.close()
    },
  }
}

function buildApp(sandbox: Sandbox): FastifyInstance {
  const app = fastify({ bodyLimit: orderBytesMax, forceCloseConnections: true })
  app.get('/.well-known/jwks.json', () => sandbox.sender.keySet())
  app.get<{ Params: { id: string } }>('/files/:id', (request, reply) => {
    const queued = sandbox.requests.get(request.params.id)
    if (queued === undefined) return reply.code(404).send({ detail: 'not found' })
    return serveFile(queued, request, reply, sandbox.stop)
  })
  registerControl(app, sandbox)
  // The status of a request lacks the last part of the model's path, as with the real queue.
  app.get<{ Params: OrderParams }>('/:owner/:alias/requests/:id/status', (request, reply) =>
    answerPoll(sandbox, request, reply, (queued) => {
      const status = requestStatus(queued, sandbox.now())
      return reply.code(status === 'COMPLETED' ? 200 : 202).send({
        status,
        request_id: queued.requestId,
        ...(status === 'IN_QUEUE' ? { queue_position: queuePosition(sandbox, queued) } : {}),
      })
    }),
  )
  app.get<{ Params: OrderParams }>('/:owner/:alias/requests/:id', (request, reply) =>
    answerPoll(sandbox, request, reply, (queued) => {
      const result = requestResult(queued, fileUrl(sandbox, queued))
      return reply.code(result.status).send(result.body)
    }),
  )
  app.put<{ Params: OrderParams }>('/:owner/:alias/requests/:id/cancel', (request, reply) => {
    const queued = sandbox.requests.get(request.params.id)
    const isOver = queued === undefined || requestStatus(queued, sandbox.now()) === 'COMPLETED'
    if (isOver) return reply.code(400).send({ status: 'ALREADY_COMPLETED' })
    queued.isCancelled = true
    return reply.code(202).send({ status: 'CANCELLATION_REQUESTED' })
  })
  app.post('/*', (request, reply) => takeOrder(sandbox, request, reply))
  return app
}

interface OrderParams {
  owner: string
  alias: string
  id: string
}

async function takeOrder(sandbox: Sandbox, request: FastifyRequest, reply: FastifyReply) {
  sandbox.submits += 1
  const behaviour = sandbox.scripted.shift() ?? sandbox.usual
  const isKeyWrong = request.headers.authorization !== `Key ${sandbox.options.apiKey}`
  if (isKeyWrong || behaviour.submit === 'unauthorised') {
    return reply
      .code(401)
      .send({ detail: 'Cannot access application. Authentication is required.' })
  }
  if (behaviour.submit === 'drop') return hangUp(reply)
  if (behaviour.submit === 'busy') {
    return reply.code(429).header('retry-after', '0').send({ detail: 'Too many requests' })
  }
  if (behaviour.submit === 'down') return reply.code(500).send({ detail: 'Internal Server Error' })
  const queued = accept(sandbox, request, behaviour)
  const ended = finish(sandbox, queued)
  if (behaviour.submit === 'accept_and_drop') return hangUp(reply)
  if (behaviour.submit === 'accept_behind_502') return reply.code(502).send('Bad Gateway')
  if (behaviour.submit === 'accept_after_webhook') await ended
  return reply.send(acceptance(sandbox, queued))
}

function accept(sandbox: Sandbox, request: FastifyRequest, behaviour: Behaviour): QueuedRequest {
  const input = request.body as Record<string, unknown>
  const { fal_webhook: webhookUrl } = request.query as Record<string, string | undefined>
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
  // Whoever downloads it is told; nobody else waits for it.
  queued.picture.catch(() => {})
  sandbox.requests.set(queued.requestId, queued)
  return queued
}

function readPhotos(input: Record<string, unknown>): Buffer[] {
  const urls: unknown = input['image_urls']
  const list: unknown[] = Array.isArray(urls) ? urls : []
  return list.map((url) => Buffer.from(String(url).split(',')[1] ?? '', 'base64'))
}

/** Waits until the request has ended, then tells it by webhook. */
async function finish(sandbox: Sandbox, queued: QueuedRequest): Promise<void> {
  const { behaviour } = queued
  if (behaviour.end === 'never') return
  await sleep(behaviour.queueMs + behaviour.workMs, sandbox.stop)
  if (sandbox.stop.aborted) return
  const url = behaviour.file === 'data_url' ? await dataUrl(queued) : fileUrl(sandbox, queued)
  await sandbox.sender.send(queued, requestResult(queued, url))
}

function acceptance(sandbox: Sandbox, queued: QueuedRequest): object {
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

function answerPoll(
  sandbox: Sandbox,
  request: FastifyRequest<{ Params: OrderParams }>,
  reply: FastifyReply,
  answer: (queued: QueuedRequest) => FastifyReply,
): FastifyReply {
  if (request.headers.authorization !== `Key ${sandbox.options.apiKey}`) {
    return reply.code(401).send({ detail: 'Authentication is required.' })
  }
  const queued = sandbox.requests.get(request.params.id)
  if (queued === undefined) return reply.code(404).send({ detail: 'Request not found' })
  queued.polls += 1
  const { polls } = queued.behaviour
  if (queued.polls > 2 || polls === 'answer') return answer(queued)
  if (polls === 'drop_two') return hangUp(reply)
  if (polls === 'nonsense_two') return reply.type('text/html').send('<h1>Hello</h1>')
  return reply.code(503).send({ detail: 'no runner', error_type: 'runner_scheduling_failure' })
}

function queuePosition(sandbox: Sandbox, queued: QueuedRequest): number {
  const open = [...sandbox.requests.values()].filter(
    (other) => requestStatus(other, sandbox.now()) === 'IN_QUEUE',
  )
  return Math.max(0, open.indexOf(queued))
}

function fileUrl(sandbox: Sandbox, queued: QueuedRequest): string {
  const { file } = queued.behaviour
  if (file === 'at_private') return 'http://169.254.169.254/latest/meta-data/picture.jpg'
  if (file === 'at_foreign') return 'https://pictures.example.com/picture.jpg'
  return `${sandbox.url}/files/${queued.requestId}`
}

async function dataUrl(queued: QueuedRequest): Promise<string> {
  return `data:image/jpeg;base64,${(await queued.picture).toString('base64')}`
}

/** Ends the connection without an answer. */
function hangUp(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}

/** What no real queue has: calls that say how the next requests are treated, and what came of them. */
function registerControl(app: FastifyInstance, sandbox: Sandbox): void {
  app.post('/control/next', (request) => {
    const list = Array.isArray(request.body) ? request.body : [request.body]
    sandbox.scripted.push(...list.map(readBehaviour))
    return { scripted: sandbox.scripted.length }
  })
  app.post('/control/usually', (request) => {
    sandbox.usual = readBehaviour(request.body)
    return sandbox.usual
  })
  app.get('/control/requests', () => ({
    submits: sandbox.submits,
    requests: [...sandbox.requests.values()].map((queued) => ({
      request_id: queued.requestId,
      model: queued.model,
      status: requestStatus(queued, sandbox.now()),
      behaviour: queued.behaviour,
      polls: queued.polls,
      downloads: queued.downloads,
      webhook_answers: queued.webhookAnswers,
    })),
  }))
}
