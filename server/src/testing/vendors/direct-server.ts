import type { FastifyReply, FastifyRequest } from 'fastify'
import answers from './direct-answers.json' with { type: 'json' }
import { dialects } from './direct-dialects.ts'
import type { DialectName, DirectCall } from './direct-dialects.ts'
import { drawPicture } from './draw-picture.ts'
import { hangUp, openScriptedServer, sendPieces, sleep, spoil } from './scripted-server.ts'

/** How one call is treated. */
export type DirectBehaviour =
  | 'picture'
  /** The picture's address instead of its bytes, as SGLang may answer. */
  | 'picture_by_url'
  /** More pictures than were asked for. */
  | 'many'
  /** One picture, however many were asked for. */
  | 'fewer'
  /** As many as were asked for, and the first is none. */
  | 'first_broken'
  | keyof (typeof answers)['openai']
  | 'drop'
  /** Makes the picture, then loses the connection. */
  | 'work_and_drop'
  /** Never answers. */
  | 'hang'
  | 'slow_body'
  | 'huge_body'
  | 'html'
  | 'empty'
  | 'not_a_picture'
  | 'truncated'
  | 'tiny'
  | 'gif'
  | 'redirect'
  /** The picture's address leads into a private network. */
  | 'private_url'

interface DirectServerOptions {
  apiKey: string
  /** What it speaks; by default as OpenAI. */
  dialect?: DialectName
  /** The models that it lists. */
  models?: readonly string[]
  /** The day on which it shuts them down. */
  shutdownDate?: string
}

export type DirectServer = Awaited<ReturnType<typeof startDirectServer>>

/**
 * Starts what stands in for a service that answers with the picture on the same connection: OpenAI and
 * what speaks as it does, sd-server, Google.
 */
export async function startDirectServer(options: DirectServerOptions) {
  const { apiKey, dialect: name = 'openai', models = [] } = options
  const dialect = dialects[name]
  const recorded: Record<string, { status: number; body: object }> = answers[name]
  const server = openScriptedServer<DirectBehaviour>('picture')
  const { app, stop } = server
  const calls: DirectCall[] = []
  const pictures: Buffer[] = []
  let origin = ''
  let piecesSent = 0

  function sendRecorded(request: FastifyRequest, reply: FastifyReply, behaviour: string) {
    const { status, body } = recorded[behaviour]!
    // As many servers do: with the key that they refuse.
    const key = request.headers['x-goog-api-key'] ?? request.headers.authorization ?? ''
    const text = JSON.stringify(body).replace('KEY', String(key))
    return reply.code(status).header('retry-after', '0').type('application/json').send(text)
  }

  /** The answers that come before any picture is made; undefined where one is. */
  function refuse(behaviour: DirectBehaviour, request: FastifyRequest, reply: FastifyReply) {
    if (behaviour in recorded) return sendRecorded(request, reply, behaviour)
    if (behaviour === 'drop') return hangUp(reply)
    if (behaviour === 'hang') return sleep(600_000, stop).then(() => hangUp(reply))
    if (behaviour === 'huge_body') {
      return reply.type('application/json').send(Buffer.alloc(60 * 1024 * 1024, 0x20))
    }
    if (behaviour === 'html') return reply.type('text/html').send('<h1>It works</h1>')
    if (behaviour === 'redirect') return reply.redirect('http://127.0.0.1:9/v1/images/edits')
    return undefined
  }

  async function picturesOf(behaviour: DirectBehaviour, picture: Buffer, count: number) {
    const inline = async (how: string) => {
      return { base64: (await spoil(picture, how)).toString('base64') }
    }
    const made = await inline(behaviour)
    const all = Array.from({ length: count }, () => made)
    if (behaviour === 'picture_by_url') {
      return [{ url: `${origin}/pictures/${pictures.push(picture) - 1}` }]
    }
    if (behaviour === 'private_url') return [{ url: 'http://169.254.169.254/latest/picture.jpg' }]
    if (behaviour === 'many') return [...all, made, made]
    if (behaviour === 'fewer') return [made]
    if (behaviour === 'empty') return []
    if (behaviour === 'first_broken') return [await inline('not_a_picture'), ...all.slice(1)]
    return all
  }

  app.post(dialect.path, async (request, reply) => {
    const behaviour = server.take()
    const isKeyRight = [undefined, apiKey].includes(dialect.keyOf(request))
    if (!isKeyRight || behaviour === 'unauthorised') {
      return sendRecorded(request, reply, 'unauthorised')
    }
    const call = await dialect.read(request)
    calls.push(call)
    const refused = refuse(behaviour, request, reply)
    if (refused !== undefined) return await refused
    const picture = await drawPicture(call.photos)
    if (behaviour === 'work_and_drop') return hangUp(reply)
    const count = Number(call.fields['n'] ?? 1)
    const answer = dialect.answer(await picturesOf(behaviour, picture, count))
    if (behaviour !== 'slow_body') return reply.send(answer)
    // Begins at once and then takes its time, longer than anybody should wait.
    const bytes = Buffer.from(JSON.stringify(answer))
    function* pieces(): Generator<Buffer> {
      for (let at = 0; at < bytes.length; at += 1_000) {
        yield bytes.subarray(at, at + 1_000)
        piecesSent += 1
      }
    }
    const type = 'application/json'
    return await sendPieces(reply, { type, pieces: pieces(), pauseMs: 200 }, stop)
  })
  // Which models there are: a list, or at Google's one by one.
  app.get('/v1/models', (request, reply) =>
    dialect.keyOf(request) === apiKey
      ? reply.send({
          object: 'list',
          data: models.map((id) => ({ id, object: 'model', shutdown_date: options.shutdownDate })),
        })
      : sendRecorded(request, reply, 'unauthorised'),
  )
  app.get('/v1beta/models/:model', (request, reply) => {
    const { model } = request.params as { model: string }
    if (models.includes(model)) return reply.send({ name: `models/${model}` })
    const error = { code: 404, message: `models/${model} is not found`, status: 'NOT_FOUND' }
    return reply.code(404).send({ error })
  })
  app.get('/pictures/:index', (request, reply) => {
    const { index } = request.params as { index: string }
    return reply.type('image/jpeg').send(pictures[Number(index)])
  })
  origin = await server.listen()
  return {
    /** The base URL, with its version. */
    url: `${origin}/${name === 'google' ? 'v1beta' : 'v1'}`,
    next: server.next,
    close: server.close,
    calls: (): readonly DirectCall[] => calls,
    /** Of all slow answers together. */
    piecesSent: () => piecesSent,
  }
}
