import fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accept, acceptance, fileUrl, finish, queuePosition } from './accept-request.ts'
import type { FalSubmit, Sandbox } from './accept-request.ts'
import { readBehaviour, usualBehaviour } from './behaviour.ts'
import type { Behaviour } from './behaviour.ts'
import { registerControl } from './control-routes.ts'
import { requestResult, requestStatus } from './queued-requests.ts'
import type { QueuedRequest } from './queued-requests.ts'
import { createWebhookSender, sleep } from './send-webhooks.ts'
import type { PostWebhook } from './send-webhooks.ts'
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

/** Photos as base64 make a request large. */
const requestBytesMax = 64 * 1024 * 1024

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
    apiKey: options.apiKey,
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
  const app = fastify({ bodyLimit: requestBytesMax, forceCloseConnections: true })
  app.get('/.well-known/jwks.json', () => sandbox.sender.keySet())
  app.get<{ Params: { id: string } }>('/files/:id', (request, reply) => {
    const queued = sandbox.requests.get(request.params.id)
    if (queued === undefined) return reply.code(404).send({ detail: 'not found' })
    return serveFile(queued, request, reply, sandbox.stop)
  })
  registerControl(app, sandbox)
  // The status of a request lacks the last part of the model's path, as with the real queue.
  app.get<{ Params: RequestParams }>('/:owner/:alias/requests/:id/status', (request, reply) =>
    answerPoll(sandbox, request, reply, (queued) => {
      const status = requestStatus(queued, sandbox.now())
      return reply.code(status === 'COMPLETED' ? 200 : 202).send({
        status,
        request_id: queued.requestId,
        ...(status === 'IN_QUEUE' ? { queue_position: queuePosition(sandbox, queued) } : {}),
      })
    }),
  )
  app.get<{ Params: RequestParams }>('/:owner/:alias/requests/:id', (request, reply) =>
    answerPoll(sandbox, request, reply, (queued) => {
      const result = requestResult(queued, fileUrl(sandbox, queued))
      return reply.code(result.status).send(result.body)
    }),
  )
  app.put<{ Params: RequestParams }>('/:owner/:alias/requests/:id/cancel', (request, reply) => {
    const queued = sandbox.requests.get(request.params.id)
    const isOver = queued === undefined || requestStatus(queued, sandbox.now()) === 'COMPLETED'
    if (isOver) return reply.code(400).send({ status: 'ALREADY_COMPLETED' })
    queued.isCancelled = true
    return reply.code(202).send({ status: 'CANCELLATION_REQUESTED' })
  })
  app.post<FalSubmit>('/*', (request, reply) => submit(sandbox, request, reply))
  return app
}

interface RequestParams {
  owner: string
  alias: string
  id: string
}

async function submit(sandbox: Sandbox, request: FastifyRequest<FalSubmit>, reply: FastifyReply) {
  sandbox.submits += 1
  const behaviour = sandbox.scripted.shift() ?? sandbox.usual
  const isKeyWrong = request.headers.authorization !== `Key ${sandbox.apiKey}`
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

function answerPoll(
  sandbox: Sandbox,
  request: FastifyRequest<{ Params: RequestParams }>,
  reply: FastifyReply,
  answer: (queued: QueuedRequest) => FastifyReply,
): FastifyReply {
  if (request.headers.authorization !== `Key ${sandbox.apiKey}`) {
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

/** Ends the connection without an answer. */
function hangUp(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}
