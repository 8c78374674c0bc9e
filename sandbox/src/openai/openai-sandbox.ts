import fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sleep } from '../fal/send-webhooks.ts'
import { drawSelfie } from '../pictures/draw-selfie.ts'

/** How one call is treated. */
export const openaiBehaviours = [
  'picture',
  /** The picture's address instead of its bytes, as SGLang may answer. */
  'picture_by_url',
  'refusal',
  'bad_input',
  'busy',
  'no_quota',
  'down',
  'unauthorised',
  'drop',
  /** Makes the picture, then loses the connection. */
  'work_and_drop',
  /** Never answers. */
  'hang',
  'slow_body',
  'huge_body',
  'html',
  'empty',
  'not_a_picture',
  'redirect',
  /** FastAPI's form of an error, as vLLM and SGLang answer. */
  'detail_error',
] as const
export type OpenaiBehaviour = (typeof openaiBehaviours)[number]

export interface OpenaiSandboxOptions {
  port: number
  host: string
  apiKey: string
  /** How long a picture takes. */
  workMs?: number
}

/** One call as it came. */
export interface OpenaiCall {
  fields: Record<string, string>
  /** Names of the file fields in their order, with their declared types. */
  files: { field: string; type: string; bytes: number }[]
}

export interface RunningOpenaiSandbox {
  /** The base URL, with its version. */
  url: string
  calls(): readonly OpenaiCall[]
  next(...behaviours: OpenaiBehaviour[]): void
  close(): Promise<void>
}

interface Sandbox {
  options: OpenaiSandboxOptions
  calls: OpenaiCall[]
  scripted: OpenaiBehaviour[]
  pictures: Buffer[]
  stop: AbortSignal
  origin: string
}

const formBytesMax = 64 * 1024 * 1024

/** Starts a stand-in for `POST /v1/images/edits` of OpenAI, vLLM-Omni and SGLang. */
export async function startOpenaiSandbox(
  options: OpenaiSandboxOptions,
): Promise<RunningOpenaiSandbox> {
  const stop = new AbortController()
  const sandbox: Sandbox = {
    options,
    calls: [],
    scripted: [],
    pictures: [],
    stop: stop.signal,
    origin: '',
  }
  const app = buildApp(sandbox)
  sandbox.origin = await app.listen({ port: options.port, host: options.host })
  return {
    url: `${sandbox.origin}/v1`,
    calls: () => sandbox.calls,
    next: (...behaviours) => sandbox.scripted.push(...behaviours),
    async close() {
      stop.abort()
      await app.close()
    },
  }
}

function buildApp(sandbox: Sandbox): FastifyInstance {
  const app = fastify({ bodyLimit: formBytesMax, forceCloseConnections: true })
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.post('/v1/images/edits', (request, reply) => edit(sandbox, request, reply))
  app.get<{ Params: { index: string } }>('/pictures/:index', (request, reply) => {
    const picture = sandbox.pictures[Number(request.params.index)]
    return picture === undefined ? reply.code(404).send('') : reply.type('image/jpeg').send(picture)
  })
  app.post('/control/next', (request) => {
    const list: unknown[] = Array.isArray(request.body) ? request.body : [request.body]
    for (const word of list) {
      const behaviour = openaiBehaviours.find((known) => known === word)
      if (behaviour === undefined) throw new TypeError(`one of ${openaiBehaviours.join(', ')}`)
      sandbox.scripted.push(behaviour)
    }
    return { scripted: sandbox.scripted.length }
  })
  app.get('/control/calls', () => ({ calls: sandbox.calls }))
  return app
}

async function edit(
  sandbox: Sandbox,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const behaviour = sandbox.scripted.shift() ?? 'picture'
  const isKeyWrong = request.headers.authorization !== `Bearer ${sandbox.options.apiKey}`
  if (isKeyWrong || behaviour === 'unauthorised') {
    return fail(reply, 401, 'invalid_api_key', 'Incorrect API key provided.')
  }
  const photos = await readForm(sandbox, request)
  const refused = refuse(sandbox, behaviour, reply)
  if (refused !== undefined) return refused
  const picture = await drawSelfie(photos)
  await sleep(sandbox.options.workMs ?? 0, sandbox.stop)
  if (behaviour === 'work_and_drop') return hangUp(reply)
  if (behaviour === 'slow_body') return sendSlowly(sandbox, reply, picture)
  const data =
    behaviour === 'picture_by_url'
      ? { url: `${sandbox.origin}/pictures/${sandbox.pictures.push(picture) - 1}` }
      : { b64_json: picture.toString('base64') }
  return reply.send({ created: 1, data: [data], output_format: 'jpeg' })
}

/** Keeps what the form says; the photos in the order they came. */
async function readForm(sandbox: Sandbox, request: FastifyRequest): Promise<Buffer[]> {
  const contentType = String(request.headers['content-type'])
  const body = new Uint8Array(request.body as Buffer)
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData()
  const call: OpenaiCall = { fields: {}, files: [] }
  const photos: Buffer[] = []
  for (const [field, value] of form.entries()) {
    if (typeof value === 'string') call.fields[field] = value
    else {
      const bytes = Buffer.from(await value.arrayBuffer())
      call.files.push({ field, type: value.type, bytes: bytes.length })
      photos.push(bytes)
    }
  }
  sandbox.calls.push(call)
  return photos
}

/** The answers without a picture; undefined where one is made. */
function refuse(
  sandbox: Sandbox,
  behaviour: OpenaiBehaviour,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> | undefined {
  switch (behaviour) {
    case 'refusal':
      return fail(
        reply,
        400,
        'moderation_blocked',
        'Your request was rejected by the safety system.',
      )
    case 'bad_input':
      return fail(reply, 400, 'invalid_image_file', 'Invalid image file or mode for image 1.')
    case 'busy':
      void reply.header('retry-after', '0')
      return fail(reply, 429, 'rate_limit_exceeded', 'Rate limit reached.')
    case 'no_quota':
      return fail(reply, 429, 'insufficient_quota', 'You exceeded your current quota.')
    case 'down':
      return fail(reply, 500, 'server_error', 'The server had an error.')
    case 'detail_error':
      return reply.code(400).send({ detail: 'num_inference_steps must be positive' })
    case 'drop':
      return hangUp(reply)
    case 'hang':
      return sleep(600_000, sandbox.stop).then(() => hangUp(reply))
    case 'huge_body':
      return reply.type('application/json').send(Buffer.alloc(60 * 1024 * 1024, 0x20))
    case 'html':
      return reply.type('text/html').send('<h1>It works</h1>')
    case 'empty':
      return reply.send({ created: 1, data: [] })
    case 'not_a_picture':
      return reply.send({ data: [{ b64_json: Buffer.from('hello').toString('base64') }] })
    case 'redirect':
      return reply.redirect('http://127.0.0.1:9/v1/images/edits')
    case 'picture':
    case 'picture_by_url':
    case 'slow_body':
    case 'unauthorised':
    case 'work_and_drop':
      return undefined
  }
}

function fail(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  const type = status < 500 ? 'invalid_request_error' : 'server_error'
  return reply.code(status).send({ error: { message, type, param: null, code } })
}

function hangUp(reply: FastifyReply): FastifyReply {
  reply.hijack()
  reply.raw.destroy()
  return reply
}

/** The answer begins at once and then takes its time, longer than anybody should wait. */
async function sendSlowly(
  sandbox: Sandbox,
  reply: FastifyReply,
  picture: Buffer,
): Promise<FastifyReply> {
  reply.hijack()
  reply.raw.writeHead(200, { 'content-type': 'application/json' })
  const text = JSON.stringify({ data: [{ b64_json: picture.toString('base64') }] })
  for (let at = 0; at < text.length && !sandbox.stop.aborted; at += 1_000) {
    if (reply.raw.destroyed) return reply
    reply.raw.write(text.slice(at, at + 1_000))
    await sleep(200, sandbox.stop)
  }
  reply.raw.end()
  return reply
}
