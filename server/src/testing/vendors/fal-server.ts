import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { drawPicture } from './draw-picture.ts'
import answers from './fal-answers.json' with { type: 'json' }
import { createWebhookSender } from './fal-webhooks.ts'
import type { PostWebhook } from './fal-webhooks.ts'
import {
  endlessBytes,
  hangUp,
  openScriptedServer,
  sendPieces,
  sleep,
  spoil,
} from './scripted-server.ts'
import type { ScriptedServer } from './scripted-server.ts'

/** How one request is treated; what isn't named is as usual. */
export interface FalBehaviour {
  submit:
    | 'accept'
    /** The connection dies before the request is taken. */
    | 'drop'
    /** The request is taken, the answer is lost. */
    | 'accept_and_drop'
    /** The request is taken, and answered only when its webhook was delivered. */
    | 'accept_after_webhook'
    /** A proxy's 502, behind which the request was taken. */
    | 'accept_behind_502'
    /** Addresses on another host, where our key would go. */
    | 'foreign_urls'
    | 'busy'
    | 'down'
    | 'unauthorised'
  /** How the request ends. */
  end:
    | 'picture'
    | 'flagged'
    | 'never'
    | 'policy'
    | 'no_media'
    | 'bad_input'
    | 'failure'
    | 'empty'
    | 'timeout'
  /** How many pictures it has, of those that were asked for. */
  count: 'asked' | 'more' | 'fewer'
  webhook: 'send' | 'none' | 'twice' | 'forged' | 'old' | 'wrong_request' | 'unsigned'
  /** How the first two questions about the request are answered. */
  polls: 'answer' | 'drop_two' | 'fail_two' | 'nonsense_two'
  /** What is at the picture's address. */
  file:
    | 'picture'
    | 'html'
    | 'huge'
    | 'endless'
    | 'drop'
    | 'drop_once'
    | 'fail_once'
    | 'redirect'
    | 'redirect_to_private'
    | 'at_private'
    | 'at_foreign'
    | 'damaged'
    | 'tiny'
    | 'data_url'
  /** Milliseconds in the queue, then at work. */
  queueMs: number
  workMs: number
  /** What its work waits for beside that time. */
  until: Promise<unknown> | undefined
}

const usual: FalBehaviour = {
  submit: 'accept',
  end: 'picture',
  count: 'asked',
  webhook: 'send',
  polls: 'answer',
  file: 'picture',
  queueMs: 0,
  workMs: 0,
  until: undefined,
}

/** A request that fal took. */
export interface QueuedRequest {
  requestId: string
  input: Record<string, unknown>
  webhookUrl: string | undefined
  behaviour: FalBehaviour
  acceptedAtMs: number
  /** That its work waits for something else than time. */
  isHeld: boolean
  isCancelled: boolean
  polls: number
  downloads: number
  /** The receiver's answers to the webhooks of this request; 0 when none came. */
  webhookAnswers: number[]
  picture: Promise<Buffer>
}

interface FalServerOptions {
  /** The key that callers send as `Authorization: Key …`. */
  apiKey: string
  /** 0, as by default, takes any free one. */
  port?: number
  fetch?: PostWebhook
  now?: () => number
  /** Milliseconds before each repetition of a webhook that was not answered with a 2xx. */
  retryDelaysMs?: readonly number[]
}

export type FalServer = Awaited<ReturnType<typeof startFalServer>>

type RequestOf<Params> = FastifyRequest<{
  Params: Params
  Body: Record<string, unknown>
  Querystring: { fal_webhook?: string; again?: string }
}>

/**
 * Starts what stands in for fal's queue: its calls, statuses, errors and signed webhooks. It answers with a
 * picture of the photos that it was sent.
 */
export async function startFalServer(options: FalServerOptions) {
  const { now = () => Date.now(), apiKey } = options
  const server = openScriptedServer<Partial<FalBehaviour>>({})
  const { app, stop } = server
  const requests = new Map<string, QueuedRequest>()
  let submits = 0
  let url = ''
  const sender = createWebhookSender({
    fetch: options.fetch ?? fetch,
    now,
    retryDelaysMs: options.retryDelaysMs ?? [500, 2_000, 10_000],
    signal: stop,
  })

  /** Where a request stands. */
  function statusOf({ behaviour, acceptedAtMs, isHeld }: QueuedRequest) {
    const ageMs = now() - acceptedAtMs
    if (ageMs < behaviour.queueMs) return 'IN_QUEUE'
    if (isHeld) return 'IN_PROGRESS'
    const isOver = behaviour.end !== 'never' && ageMs >= behaviour.queueMs + behaviour.workMs
    return isOver ? 'COMPLETED' : 'IN_PROGRESS'
  }

  function queuePosition(queued: QueuedRequest): number {
    const open = [...requests.values()].filter((other) => statusOf(other) === 'IN_QUEUE')
    return Math.max(0, open.indexOf(queued))
  }

  function fileUrl({ requestId, behaviour: { file } }: QueuedRequest): string {
    if (file === 'at_private') return 'http://169.254.169.254/latest/meta-data/picture.jpg'
    if (file === 'at_foreign') return 'https://pictures.example.com/picture.jpg'
    return `${url}/files/${requestId}`
  }

  async function finish(queued: QueuedRequest): Promise<void> {
    const { behaviour, picture } = queued
    if (behaviour.end === 'never') return
    await sleep(behaviour.queueMs + behaviour.workMs, stop)
    await behaviour.until
    queued.isHeld = false
    if (stop.aborted) return
    const isInline = behaviour.file === 'data_url'
    const base64 = isInline ? (await picture).toString('base64') : ''
    const address = isInline ? `data:image/jpeg;base64,${base64}` : fileUrl(queued)
    await sender.send(queued, resultOf(queued, address))
  }

  function accept({ url: path, body, query }: RequestOf<unknown>, behaviour: FalBehaviour) {
    const queued: QueuedRequest = {
      requestId: randomUUID(),
      input: body,
      webhookUrl: query.fal_webhook,
      behaviour,
      acceptedAtMs: now(),
      isHeld: behaviour.until !== undefined,
      isCancelled: false,
      polls: 0,
      downloads: 0,
      webhookAnswers: [],
      picture: drawPicture(photosOf(body)),
    }
    // Its download reports the failure; nobody else waits for it.
    queued.picture.catch(() => {})
    requests.set(queued.requestId, queued)
    const [owner, alias] = new URL(path, url).pathname.slice(1).split('/')
    const host = behaviour.submit === 'foreign_urls' ? 'http://127.0.0.1:9' : url
    const base = `${host}/${owner}/${alias}/requests/${queued.requestId}`
    const acceptance = {
      request_id: queued.requestId,
      gateway_request_id: queued.requestId,
      status: 'IN_QUEUE',
      queue_position: queuePosition(queued),
      response_url: base,
      status_url: `${base}/status`,
      cancel_url: `${base}/cancel`,
      logs: null,
      metrics: {},
    }
    return { queued, acceptance }
  }

  const isKeyRight = ({ headers }: FastifyRequest) => headers.authorization === `Key ${apiKey}`

  /** Answers a question about a request, after what its behaviour says of the first two. */
  const answerPoll =
    (answer: (queued: QueuedRequest, reply: FastifyReply) => FastifyReply) =>
    (request: RequestOf<{ id: string }>, reply: FastifyReply) => {
      if (!isKeyRight(request)) return send(reply, answers.unauthorised)
      const queued = requests.get(request.params.id)
      if (queued === undefined) return reply.code(404).send({ detail: 'Request not found' })
      queued.polls += 1
      const polls = queued.polls > 2 ? 'answer' : queued.behaviour.polls
      if (polls === 'drop_two') return hangUp(reply)
      if (polls === 'nonsense_two') return reply.type('text/html').send('<h1>Hello</h1>')
      if (polls === 'fail_two') return send(reply, answers.no_runner)
      return answer(queued, reply)
    }

  app.get('/.well-known/jwks.json', () => sender.keySet())
  app.get('/files/:id', (request: RequestOf<{ id: string }>, reply) => {
    const queued = requests.get(request.params.id)
    if (queued === undefined) return reply.code(404).send({ detail: 'not found' })
    return serveFile(queued, request, reply, stop)
  })
  // The status of a request lacks the last part of the model's path, as with the real queue.
  app.get(
    '/:owner/:alias/requests/:id/status',
    answerPoll((queued, reply) => {
      const status = statusOf(queued)
      const position = status === 'IN_QUEUE' ? { queue_position: queuePosition(queued) } : {}
      const answer = { status, request_id: queued.requestId, ...position }
      return reply.code(status === 'COMPLETED' ? 200 : 202).send(answer)
    }),
  )
  app.get(
    '/:owner/:alias/requests/:id',
    answerPoll((queued, reply) => send(reply, resultOf(queued, fileUrl(queued)))),
  )
  app.put('/:owner/:alias/requests/:id/cancel', (request: RequestOf<{ id: string }>, reply) => {
    const queued = requests.get(request.params.id)
    const isOver = queued === undefined || statusOf(queued) === 'COMPLETED'
    if (isOver) return reply.code(400).send({ status: 'ALREADY_COMPLETED' })
    queued.isCancelled = true
    return reply.code(202).send({ status: 'CANCELLATION_REQUESTED' })
  })
  app.post('/*', async (request: RequestOf<unknown>, reply) => {
    submits += 1
    const behaviour = { ...usual, ...server.take() }
    const { submit } = behaviour
    if (!isKeyRight(request) || submit === 'unauthorised') return send(reply, answers.unauthorised)
    if (submit === 'drop') return hangUp(reply)
    if (submit === 'busy') return send(reply.header('retry-after', '0'), answers.busy)
    if (submit === 'down') return send(reply, answers.down)
    const { queued, acceptance } = accept(request, behaviour)
    const ended = finish(queued)
    if (submit === 'accept_and_drop') return hangUp(reply)
    if (submit === 'accept_behind_502') return reply.code(502).send('Bad Gateway')
    if (submit === 'accept_after_webhook') await ended
    return reply.send(acceptance)
  })
  url = await server.listen(options.port)
  const { next, usually, close }: ScriptedServer<Partial<FalBehaviour>> = server
  return {
    /** The address of the queue, the key set and the files. */
    url,
    next,
    usually,
    close,
    /** Everything that was taken, oldest first. */
    requests: (): readonly QueuedRequest[] => [...requests.values()],
    /** Requests that came in at all, also those that were dropped or turned away. */
    submits: () => submits,
    /** Sends a request's webhook once more. */
    async resend(requestId: string, webhook: FalBehaviour['webhook']): Promise<void> {
      const queued = requests.get(requestId)
      if (queued === undefined) throw new Error(`there is no request ${requestId}`)
      const again = { ...queued, behaviour: { ...queued.behaviour, webhook } }
      await sender.send(again, resultOf(queued, fileUrl(queued)))
    },
    /** Resolves when no webhook is under way. */
    async whenQuiet() {
      while (sender.isBusy()) await sleep(5, stop)
    },
  }
}

interface Answer {
  status: number
  body: object
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).send(body)
}

function photosOf({ image_urls: urls }: Record<string, unknown>): Buffer[] {
  const list: unknown[] = Array.isArray(urls) ? urls : []
  return list.map((url) => Buffer.from(String(url).split(',')[1] ?? '', 'base64'))
}

/** What the model answers. */
function resultOf({ input, behaviour: { end, count } }: QueuedRequest, url: string): Answer {
  if (end !== 'picture' && end !== 'flagged' && end !== 'never') return answers[end]
  const asked = Number(input['num_images'] ?? 1)
  const length = { asked, more: asked + 2, fewer: 1 }[count]
  const images = Array.from({ length }, () => ({ url, ...answers.image }))
  const flags = end === 'flagged' ? { has_nsfw_concepts: images.map(() => true) } : {}
  return { status: 200, body: { images, seed: 7, ...flags } }
}

/** Answers the address of a picture, well or badly. */
async function serveFile(
  queued: QueuedRequest,
  request: RequestOf<unknown>,
  reply: FastifyReply,
  stop: AbortSignal,
): Promise<FastifyReply> {
  const { file } = queued.behaviour
  queued.downloads += 1
  const isFirst = queued.downloads === 1
  const picture = await queued.picture
  const type = 'image/jpeg'
  if (file === 'endless') {
    return await sendPieces(reply, { type, pieces: endlessBytes(), pauseMs: 1 }, stop)
  }
  if (file === 'drop' || (file === 'drop_once' && isFirst)) {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': type, 'content-length': picture.length })
    reply.raw.write(picture.subarray(0, picture.length / 2), () => reply.raw.destroy())
    return reply
  }
  if (file === 'fail_once' && isFirst) return reply.code(503).send('try later')
  if (file === 'redirect' && request.query.again === undefined) {
    return reply.redirect(`${request.url}?again`)
  }
  if (file === 'redirect_to_private') return reply.redirect('http://127.0.0.1:9/secret.jpg')
  return reply.type(type).send(await spoil(picture, file))
}
