import type { FastifyReply, FastifyRequest } from 'fastify'
import answers from './comfyui-answers.json' with { type: 'json' }
import { serveSockets } from './comfyui-sockets.ts'
import { drawPicture } from './draw-picture.ts'
import {
  endlessBytes,
  hangUp,
  openScriptedServer,
  readForm,
  sendPieces,
  sleep,
  spoil,
} from './scripted-server.ts'

/** How one request is treated. */
export type ComfyuiBehaviour =
  | 'picture'
  /** It takes a second longer. */
  | 'slow'
  /** The upload, or the request, is turned away. */
  | 'refused_upload'
  | 'invalid_graph'
  | 'busy'
  | 'down'
  | 'html'
  | 'drop'
  /** The request is taken, the answer is lost. */
  | 'accept_and_drop'
  /** The request gets another id than the one that was asked for, as in old versions. */
  | 'own_id'
  /** A node fails. */
  | 'error'
  | 'interrupted'
  /** It ends without a picture. */
  | 'no_picture'
  /** More than one picture. */
  | 'many'
  /** The history and the queue forget the request. */
  | 'lost'
  /** It never ends. */
  | 'hang'
  /** The socket dies while it runs. */
  | 'socket_dies'
  | 'redirect_to_private'
  | 'huge'
  | 'endless'
  | 'not_a_picture'
  | 'truncated'
  | 'tiny'
  | 'gif'

interface Graph {
  [id: string]: { class_type: string; inputs: Record<string, unknown> }
}

/** A request as it came, and what became of it. */
export interface ComfyuiRequest {
  id: string
  number: number
  clientId: string
  graph: Graph
  behaviour: ComfyuiBehaviour
  state: 'pending' | 'running' | 'ended'
  history: object | undefined
}

export type ComfyuiServer = Awaited<ReturnType<typeof startComfyuiServer>>

/**
 * Starts what stands in for ComfyUI, written from its `server.py`, `execution.py` and `main.py`
 * (a125cd84): uploads, requests, queue, history, pictures, and the WebSocket.
 */
export async function startComfyuiServer() {
  const server = openScriptedServer<ComfyuiBehaviour>('picture')
  const { app, stop } = server
  const sockets = serveSockets(app.server)
  /** Files by folder and name: `temp/starside.jpg`. */
  const files = new Map<string, Buffer>()
  const requests: ComfyuiRequest[] = []
  let isWorking = false
  let hangingPercent = 0

  /** Works off what waits, one request after the other, as ComfyUI does. */
  async function workOff(): Promise<void> {
    if (isWorking) return
    isWorking = true
    for (;;) {
      const next = requests.find(({ state }) => state === 'pending')
      if (next === undefined || stop.aborted) break
      next.state = 'running'
      await work(next)
      next.state = 'ended'
      // After the history has it.
      sockets.send(next.clientId, 'executing', { node: null, prompt_id: next.id })
    }
    isWorking = false
  }

  async function work(request: ComfyuiRequest): Promise<void> {
    const { id, clientId, graph, number } = request
    const advance = (value: number, max: number) =>
      sockets.send(clientId, 'progress', { value, max, prompt_id: id, node: '1' })
    sockets.send(clientId, 'execution_start', { prompt_id: id })
    if (request.behaviour === 'socket_dies') sockets.drop(clientId)
    while (request.behaviour === 'hang' && !stop.aborted) {
      advance(hangingPercent, 100)
      await sleep(20, stop)
    }
    for (let step = 1; step <= 4; step += 1) {
      await sleep(request.behaviour === 'slow' ? 250 : 0, stop)
      advance(step, 4)
    }
    const { behaviour } = request
    if (behaviour === 'lost') return
    if (behaviour === 'error' || behaviour === 'interrupted') {
      request.history = { prompt: [], outputs: {}, status: answers[behaviour] }
      return
    }
    const picture = await drawPicture(photosOf(graph))
    const count = { no_picture: 0, many: 2 }[behaviour as string] ?? 1
    const images = Array.from({ length: count }, (_, at) => {
      const filename = `ComfyUI_temp_${id}_0000${at + 1}_.png`
      files.set(`temp/${filename}`, picture)
      return { filename, subfolder: '', type: 'temp' }
    })
    request.history = {
      prompt: [number, id, graph, {}, []],
      outputs: { [resultOf(graph) ?? '']: { images } },
      status: { status_str: 'success', completed: true, messages: [] },
    }
  }

  /** The photos that a graph loads, in the order of its nodes; a name ends in its folder: `name [temp]`. */
  function photosOf(graph: Graph): Buffer[] {
    return Object.values(graph).flatMap(({ class_type: kind, inputs }) => {
      if (kind !== 'LoadImage') return []
      const [, name, folder] = /^(.*) \[(\w+)\]$/.exec(String(inputs['image'])) ?? []
      return files.get(`${folder}/${name}`) ?? []
    })
  }

  async function take(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const behaviour = server.take()
    if (behaviour === 'drop') return hangUp(reply)
    if (behaviour === 'down') return reply.code(500).send('500 Internal Server Error')
    if (behaviour === 'busy') return reply.code(503).send('')
    if (behaviour === 'html') return reply.type('text/html').send('<h1>Hello</h1>')
    const body = request.body as { prompt: Graph; prompt_id: string; client_id: string }
    const isWhole = photosOf(body.prompt).length > 1 && resultOf(body.prompt) !== undefined
    if (behaviour === 'invalid_graph' || !isWhole) {
      return reply.code(400).send(answers.invalid_graph)
    }
    const number = requests.length
    const id = behaviour === 'own_id' ? `own-${number}` : body.prompt_id
    const { prompt: graph, client_id: clientId } = body
    const about = { state: 'pending', history: undefined } as const
    requests.push({ id, number, clientId, graph, behaviour, ...about })
    void workOff().catch(() => {})
    if (behaviour === 'accept_and_drop') return hangUp(reply)
    return reply.send({ prompt_id: id, number, node_errors: {} })
  }

  /** Keeps a file in its folder; one of that name is only replaced where `overwrite` says so. */
  async function upload(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = await readForm(request)
    if (server.peek() === 'refused_upload') {
      server.take()
      return reply.code(413).send('')
    }
    const text = (name: string) => {
      const value = form.get(name)
      return typeof value === 'string' ? value : ''
    }
    const [type, subfolder, image] = [text('type') || 'input', text('subfolder'), form.get('image')]
    if (!(image instanceof File) || image.name === '') return reply.code(400).send('')
    const isKept = text('overwrite') !== 'true' && files.has(placeOf(type, subfolder, image.name))
    const name = isKept ? `${image.name} (1)` : image.name
    files.set(placeOf(type, subfolder, name), Buffer.from(await image.arrayBuffer()))
    return reply.send({ name, subfolder, type })
  }

  /** What is at a picture's address, by the behaviour of the request that made it. */
  async function view(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const query = request.query as Record<string, string>
    const { filename = '', subfolder = '', type: folder = 'output' } = query
    const picture = files.get(placeOf(folder, subfolder, filename))
    if (picture === undefined) return reply.code(404).send('')
    const { behaviour = '' } = requests.find(({ id }) => filename.includes(id)) ?? {}
    const type = 'image/png'
    if (behaviour === 'redirect_to_private') {
      return reply.redirect('http://169.254.169.254/latest/picture.png')
    }
    if (behaviour === 'endless') {
      return await sendPieces(reply, { type, pieces: endlessBytes(), pauseMs: 1 }, stop)
    }
    return reply.type(type).send(await spoil(picture, behaviour))
  }

  const listed = (word: ComfyuiRequest['state']) =>
    requests
      .filter(({ state }) => state === word)
      .map(({ number, id, graph, clientId }) => [number, id, graph, { client_id: clientId }, []])
  const toDelete = ({ body }: FastifyRequest) => {
    const { delete: ids } = body as { delete?: string[] }
    return requests.filter(({ id }) => ids?.includes(id))
  }
  app.post('/upload/image', upload)
  app.post('/prompt', take)
  app.get('/view', view)
  app.get('/history/:id', ({ params }) => {
    const { id } = params as { id: string }
    const found = requests.find((request) => request.id === id && request.history)
    return found === undefined ? {} : { [id]: found.history }
  })
  app.post('/history', (request) => {
    for (const one of toDelete(request)) one.history = undefined
    return ''
  })
  app.get('/queue', () => ({ queue_running: listed('running'), queue_pending: listed('pending') }))
  app.post('/queue', (request) => {
    for (const one of toDelete(request)) if (one.state === 'pending') one.state = 'ended'
    return ''
  })
  app.post('/interrupt', ({ body }) => {
    const { prompt_id: id } = body as { prompt_id: string }
    for (const request of requests) if (request.id === id) request.behaviour = 'interrupted'
    return ''
  })
  app.get('/object_info/:kind', ({ params }) => {
    const { kind } = params as { kind: string }
    const nodes: Record<string, object> = answers.object_info
    return kind in nodes ? { [kind]: nodes[kind] } : {}
  })
  const url = await server.listen()
  return {
    url,
    next: server.next,
    requests: (): readonly ComfyuiRequest[] => requests,
    files: (): ReadonlyMap<string, Buffer> => files,
    /** How far what never ends says to be from now on, again and again. */
    sayPercent: (percent: number) => void (hangingPercent = percent),
    /** How many sockets are open. */
    sockets: () => sockets.count(),
    async close() {
      sockets.close()
      await server.close()
    },
  }
}

/** Id of the node that puts pictures out. */
function resultOf(graph: Graph): string | undefined {
  return Object.keys(graph).find((id) => /^(?:Preview|Save)Image$/.test(graph[id]!.class_type))
}

function placeOf(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('/')
}
