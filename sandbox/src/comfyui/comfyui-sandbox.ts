import fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sleep } from '../fal/send-webhooks.ts'
import { hangUp } from '../direct/refuse.ts'
import { comfyuiBehaviours } from './comfyui-behaviour.ts'
import type { ComfyuiBehaviour } from './comfyui-behaviour.ts'
import { faultsOf, nodeInfo } from './check-graph.ts'
import type { ComfyGraph } from './check-graph.ts'
import { serveSockets } from './serve-sockets.ts'
import type { Sockets } from './serve-sockets.ts'
import { serveView } from './serve-view.ts'
import { workOff } from './work-off.ts'

export interface ComfyuiSandboxOptions {
  port: number
  host: string
  /** How long a picture takes. */
  workMs?: number
}

/** A request as it came, and what became of it. */
export interface ComfyuiRequest {
  id: string
  number: number
  clientId: string
  graph: ComfyGraph
  behaviour: ComfyuiBehaviour
  state: 'pending' | 'running' | 'ended'
  history: object | undefined
}

/** What the stand-in keeps while it runs. */
export interface ComfyuiState {
  options: ComfyuiSandboxOptions
  /** Files by folder and name: `temp/starside.jpg`. */
  files: Map<string, Buffer>
  requests: ComfyuiRequest[]
  scripted: ComfyuiBehaviour[]
  sockets: Sockets
  stop: AbortSignal
  isWorking: boolean
}

export interface RunningComfyuiSandbox {
  url: string
  requests(): readonly ComfyuiRequest[]
  files(): ReadonlyMap<string, Buffer>
  /** How many sockets are open. */
  sockets(): number
  next(...behaviours: ComfyuiBehaviour[]): void
  close(): Promise<void>
}

const requestBytesMax = 64 * 1024 * 1024

/**
 * Starts a stand-in for ComfyUI, written from its `server.py`, `execution.py` and `main.py`
 * (a125cd84): uploads, requests, queue, history, pictures, and the WebSocket.
 */
export async function startComfyuiSandbox(
  options: ComfyuiSandboxOptions,
): Promise<RunningComfyuiSandbox> {
  const stop = new AbortController()
  const app = fastify({ bodyLimit: requestBytesMax, forceCloseConnections: true })
  const state: ComfyuiState = {
    options,
    files: new Map(),
    requests: [],
    scripted: [],
    sockets: serveSockets(app.server),
    stop: stop.signal,
    isWorking: false,
  }
  register(app, state)
  const url = await app.listen({ port: options.port, host: options.host })
  return {
    url,
    requests: () => state.requests,
    files: () => state.files,
    sockets: () => state.sockets.count(),
    next: (...behaviours) => state.scripted.push(...behaviours),
    async close() {
      stop.abort()
      state.sockets.close()
      await app.close()
    },
  }
}

function register(app: FastifyInstance, state: ComfyuiState): void {
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.post('/upload/image', (request, reply) => upload(state, request, reply))
  app.post('/prompt', (request, reply) => takeRequest(state, request, reply))
  app.get<{ Params: { id: string } }>('/history/:id', ({ params: { id } }) => {
    const found = state.requests.find((request) => request.id === id && request.history)
    return found === undefined ? {} : { [id]: found.history }
  })
  app.post('/history', ({ body }) => {
    for (const id of idsToDelete(body)) {
      for (const request of state.requests) if (request.id === id) request.history = undefined
    }
    return ''
  })
  app.get('/queue', () => ({
    queue_running: itemsOf(state, 'running'),
    queue_pending: itemsOf(state, 'pending'),
  }))
  app.post('/queue', ({ body }) => {
    const ids = idsToDelete(body)
    for (const request of state.requests) {
      if (request.state === 'pending' && ids.includes(request.id)) request.state = 'ended'
    }
    return ''
  })
  app.post('/interrupt', ({ body }) => {
    const { prompt_id: id } = body as Record<string, unknown>
    for (const request of state.requests) if (request.id === id) request.behaviour = 'interrupted'
    return ''
  })
  app.get('/view', (request, reply) => serveView(state, request, reply))
  app.get<{ Params: { kind: string } }>('/object_info/:kind', ({ params }) => nodeInfo(params.kind))
  app.post('/control/next', (request) => {
    const list: unknown[] = Array.isArray(request.body) ? request.body : [request.body]
    for (const word of list) {
      const behaviour = comfyuiBehaviours.find((known) => known === word)
      if (behaviour === undefined) throw new TypeError(`one of ${comfyuiBehaviours.join(', ')}`)
      state.scripted.push(behaviour)
    }
    return { scripted: state.scripted.length }
  })
}

function itemsOf(state: ComfyuiState, word: ComfyuiRequest['state']): unknown[] {
  return state.requests
    .filter((request) => request.state === word)
    .map(({ number, id, graph, clientId }) => [number, id, graph, { client_id: clientId }, []])
}

function idsToDelete(body: unknown): unknown[] {
  const { delete: ids } = body as Record<string, unknown>
  return Array.isArray(ids) ? ids : []
}

/** Keeps a file in its folder; one of that name is only replaced where `overwrite` says so. */
async function upload(state: ComfyuiState, request: FastifyRequest, reply: FastifyReply) {
  const contentType = String(request.headers['content-type'])
  const body = new Uint8Array(request.body as Buffer)
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData()
  const image = form.get('image')
  if (state.scripted[0] === 'refused_upload') {
    state.scripted.shift()
    return reply.code(413).send('')
  }
  if (!(image instanceof File) || image.name === '') return reply.code(400).send('')
  const type = formText(form, 'type') || 'input'
  const subfolder = formText(form, 'subfolder')
  const place = (name: string) => [type, subfolder, name].filter((part) => part !== '').join('/')
  let { name } = image
  if (formText(form, 'overwrite') !== 'true' && state.files.has(place(name))) name = `${name} (1)`
  state.files.set(place(name), Buffer.from(await image.arrayBuffer()))
  return reply.send({ name, subfolder, type })
}

function formText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

async function takeRequest(state: ComfyuiState, request: FastifyRequest, reply: FastifyReply) {
  const behaviour = state.scripted.shift() ?? 'picture'
  const { prompt, prompt_id: wanted, client_id: clientId } = request.body as Record<string, unknown>
  const graph = prompt as ComfyGraph
  if (behaviour === 'drop') return hangUp(reply)
  if (behaviour === 'down') return reply.code(500).send('500 Internal Server Error')
  if (behaviour === 'busy') return reply.code(503).send('')
  if (behaviour === 'html') return reply.type('text/html').send('<h1>Hello</h1>')
  const faults = faultsOf(graph, state.files, behaviour)
  if (faults !== undefined) return reply.code(400).send(faults)
  const id = behaviour === 'own_id' ? `own-${state.requests.length}` : String(wanted)
  state.requests.push({
    id,
    number: state.requests.length,
    clientId: String(clientId),
    graph,
    behaviour,
    state: 'pending',
    history: undefined,
  })
  void workOff(state).catch(() => {})
  if (behaviour === 'accept_and_drop') return hangUp(reply)
  await sleep(0, state.stop)
  return reply.send({ prompt_id: id, number: state.requests.length - 1, node_errors: {} })
}
