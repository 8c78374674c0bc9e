import fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { sleep } from '../fal/send-webhooks.ts'
import { drawSelfie } from '../pictures/draw-selfie.ts'
import { compositeEdits, editComposite } from '../pictures/edit-composite.ts'
import { dialects } from './dialects.ts'
import type { AnsweredPicture, Dialect, DialectName, DirectCall } from './dialects.ts'
import { directBehaviours } from './direct-behaviour.ts'
import type { DirectBehaviour } from './direct-behaviour.ts'
import { hangUp, refuse } from './refuse.ts'

export interface DirectSandboxOptions {
  port: number
  host: string
  apiKey: string
  /** What it speaks; by default as OpenAI. */
  dialect?: DialectName
  /** How long a picture takes. */
  workMs?: number
  /** The models that it lists. */
  models?: readonly string[]
}

export interface RunningDirectSandbox {
  /** The base URL, with its version. */
  url: string
  calls(): readonly DirectCall[]
  next(...behaviours: DirectBehaviour[]): void
  close(): Promise<void>
}

interface Sandbox {
  options: DirectSandboxOptions
  dialect: Dialect
  calls: DirectCall[]
  scripted: DirectBehaviour[]
  pictures: Buffer[]
  stop: AbortSignal
  origin: string
}

const requestBytesMax = 64 * 1024 * 1024

/**
 * Starts a stand-in for a service that answers with the picture on the same connection: OpenAI and
 * what speaks as it does, sd-server, LocalAI, Google.
 */
export async function startDirectSandbox(
  options: DirectSandboxOptions,
): Promise<RunningDirectSandbox> {
  const stop = new AbortController()
  const sandbox: Sandbox = {
    options,
    dialect: dialects[options.dialect ?? 'openai'],
    calls: [],
    scripted: [],
    pictures: [],
    stop: stop.signal,
    origin: '',
  }
  const app = buildApp(sandbox)
  sandbox.origin = await app.listen({ port: options.port, host: options.host })
  return {
    url: `${sandbox.origin}/${options.dialect === 'google' ? 'v1beta' : 'v1'}`,
    calls: () => sandbox.calls,
    next: (...behaviours) => sandbox.scripted.push(...behaviours),
    async close() {
      stop.abort()
      await app.close()
    },
  }
}

function buildApp(sandbox: Sandbox): FastifyInstance {
  const app = fastify({ bodyLimit: requestBytesMax, forceCloseConnections: true })
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.post(sandbox.dialect.path, (request, reply) => make(sandbox, request, reply))
  registerModels(app, sandbox)
  app.get<{ Params: { index: string } }>('/pictures/:index', (request, reply) => {
    const picture = sandbox.pictures[Number(request.params.index)]
    return picture === undefined ? reply.code(404).send('') : reply.type('image/jpeg').send(picture)
  })
  app.post('/control/next', (request) => {
    const list: unknown[] = Array.isArray(request.body) ? request.body : [request.body]
    for (const word of list) {
      const behaviour = directBehaviours.find((known) => known === word)
      if (behaviour === undefined) throw new TypeError(`one of ${directBehaviours.join(', ')}`)
      sandbox.scripted.push(behaviour)
    }
    return { scripted: sandbox.scripted.length }
  })
  app.get('/control/calls', () => ({
    calls: sandbox.calls.map(({ fields, files }) => ({ fields, files })),
  }))
  return app
}

/** Which models there are: a list, or at Google's one by one. */
function registerModels(app: FastifyInstance, { options, dialect }: Sandbox): void {
  const models = options.models ?? []
  app.get('/v1/models', (request, reply) =>
    dialect.isKeyRight(request, options.apiKey)
      ? reply.send({ object: 'list', data: models.map((id) => ({ id, object: 'model' })) })
      : reply.code(401).send(dialect.failure(401, 'invalid_api_key', 'Incorrect API key.')),
  )
  app.get<{ Params: { model: string } }>('/v1beta/models/:model', (request, reply) => {
    const { model } = request.params
    if (models.includes(model)) return reply.send({ name: `models/${model}` })
    return reply.code(404).send(dialect.failure(404, 'not_found', `models/${model} is not found`))
  })
}

async function make(
  sandbox: Sandbox,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { dialect, options } = sandbox
  const behaviour = sandbox.scripted.shift() ?? 'picture'
  if (!dialect.isKeyRight(request, options.apiKey) || behaviour === 'unauthorised') {
    // As many servers do: with the key that they refuse.
    const key = request.headers['x-goog-api-key'] ?? request.headers.authorization ?? ''
    const words = `Incorrect API key provided: ${String(key)}.`
    return reply.code(401).send(dialect.failure(401, 'invalid_api_key', words))
  }
  const call = await dialect.read(request)
  sandbox.calls.push(call)
  const refused = refuse(dialect, behaviour, reply, sandbox.stop)
  if (refused !== undefined) return await refused
  const picture = await drawAnswer(call.photos, behaviour)
  await sleep(options.workMs ?? 0, sandbox.stop)
  if (behaviour === 'work_and_drop') return hangUp(reply)
  const answer = dialect.answer(
    await answered(sandbox, behaviour, { picture, count: Number(call.fields['n'] ?? 1) }),
  )
  if (behaviour === 'slow_body') return sendSlowly(sandbox, reply, JSON.stringify(answer))
  return reply.send(answer)
}

/** A picture of all photos; of a single one the photo itself, tinted unless another change was asked for. */
async function drawAnswer(photos: readonly Buffer[], behaviour: DirectBehaviour): Promise<Buffer> {
  const [only, ...others] = photos
  if (only === undefined || others.length > 0) return await drawSelfie(photos)
  const edit = compositeEdits.find((known) => known === behaviour)
  return await editComposite(only, edit ?? 'tinted')
}

async function answered(
  sandbox: Sandbox,
  behaviour: DirectBehaviour,
  { picture, count }: { picture: Buffer; count: number },
): Promise<AnsweredPicture[]> {
  const whole = { base64: picture.toString('base64') }
  const all = Array.from({ length: count }, () => whole)
  const noPicture = { base64: Buffer.from('hello').toString('base64') }
  switch (behaviour) {
    case 'picture_by_url':
      return [{ url: `${sandbox.origin}/pictures/${sandbox.pictures.push(picture) - 1}` }]
    case 'private_url':
      return [{ url: 'http://169.254.169.254/latest/picture.jpg' }]
    case 'many':
      return [...all, whole, whole]
    case 'fewer':
      return [whole]
    case 'first_broken':
      return [noPicture, ...all.slice(1)]
    case 'empty':
      return []
    case 'not_a_picture':
      return [noPicture]
    case 'truncated':
      return [{ base64: picture.subarray(0, picture.length / 2).toString('base64') }]
    case 'tiny':
      return [{ base64: (await shrink(picture).jpeg().toBuffer()).toString('base64') }]
    case 'gif':
      return [{ base64: (await shrink(picture).gif().toBuffer()).toString('base64') }]
    case 'picture':
    case 'shifted':
    case 'tinted':
    case 'cropped':
    case 'redrawn':
    case 'moved':
    case 'slow_body':
    case 'work_and_drop':
    case 'unauthorised':
    case 'refusal':
    case 'bad_input':
    case 'busy':
    case 'no_quota':
    case 'down':
    case 'detail_error':
    case 'drop':
    case 'hang':
    case 'huge_body':
    case 'html':
    case 'redirect':
      return all
  }
}

function shrink(picture: Buffer): Sharp {
  return sharp(picture).resize(8, 8)
}

/** The answer begins at once and then takes its time, longer than anybody should wait. */
async function sendSlowly(
  sandbox: Sandbox,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  reply.hijack()
  reply.raw.writeHead(200, { 'content-type': 'application/json' })
  for (let at = 0; at < text.length && !sandbox.stop.aborted; at += 1_000) {
    if (reply.raw.destroyed) return reply
    reply.raw.write(text.slice(at, at + 1_000))
    await sleep(200, sandbox.stop)
  }
  reply.raw.end()
  return reply
}
