import { downloadPicture } from '../download-picture.ts'
import { HostedError } from '../hosted-error.ts'
import { readObject } from '../../platform/http/read-object.ts'
import type {
  ImageRequest,
  QueuedProvider,
  RequestListener,
  RequestStatus,
  Submission,
} from '../hosted-provider.ts'
import { failedRequest, photosOf } from '../hosted-provider.ts'
import type { ProviderParts } from '../image-vendor.ts'
import { limitsOf, sizeOf } from '../models/model-description.ts'
import {
  callComfy,
  uploadPicture,
  overwrite,
  photoNames,
  readHistory,
  readQueue,
} from './comfyui-calls.ts'
import type { ComfyServer } from './comfyui-calls.ts'
import { fillGraph, checkNodes } from './comfyui-graph.ts'
import type { TitledGraph } from './comfyui-graph.ts'
import { createComfySocket } from './comfyui-socket.ts'
import type { ComfySocket } from './comfyui-socket.ts'

export interface ComfyuiOptions
  extends ComfyServer, Omit<ProviderParts, 'timeoutMs' | keyof ComfyServer> {
  graph: TitledGraph
  /** Makes a UUID; a request's id is ours, so that it is known whatever becomes of its answer. */
  newId: () => string
}

interface Parts extends ComfyuiOptions {
  clientId: string
  socket: ComfySocket
}

/**
 * ComfyUI with a graph whose nodes are found by their titles, written from its `server.py` and
 * `execution.py` (a125cd84). What a request leaves there is overwritten when it has ended, as
 * ComfyUI deletes no files.
 */
export function createComfyuiProvider(options: ComfyuiOptions): QueuedProvider {
  const listeners = new Set<RequestListener>()
  const clientId = options.newId()
  const onNews: RequestListener = (requestId, percent) => {
    for (const listener of listeners) listener(requestId, percent)
  }
  const socket = createComfySocket({ baseUrl: options.baseUrl, clientId, onNews })
  const parts: Parts = { ...options, clientId, socket }
  const rules = { hosts: [], origins: [new URL(options.baseUrl).origin] }
  return {
    kind: 'queued',
    name: 'comfyui',
    ...limitsOf(options.card, options.priceMicroUsd),
    photosMax: options.graph.takesSecondStar ? 3 : 2,
    hasWebhooks: false,
    submit: (request, { signal }) => submit(parts, request, signal),
    async poll({ requestId }, signal) {
      const found = await findRequest(parts, requestId, signal)
      if (found?.state === 'working') return { ...found, percent: socket.percentOf(requestId) }
      // Or ComfyUI was started anew, or somebody has emptied its queue.
      return found ?? failedRequest('provider_down', 'ComfyUI knows the request no longer')
    },
    cancel: ({ requestId }, signal) =>
      stop(parts, requestId, signal).then(
        () => true,
        // Unreachable: it is nobody's bill but the operator's.
        () => false,
      ),
    download: (url, signal) => downloadPicture(options, url, { rules, signal }),
    async probe(signal) {
      await checkNodes(options, options.graph.graph, signal)
      return undefined
    },
    async forget({ requestId }, urls, signal) {
      socket.unfollow(requestId)
      await overwrite(options, { requestId, urls }, signal)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => socket.close(),
  }
}

async function submit(
  parts: Parts,
  request: ImageRequest,
  signal: AbortSignal,
): Promise<Submission> {
  const requestId = parts.newId()
  const names = photoNames(requestId)
  const images: string[] = []
  try {
    for (const [index, photo] of photosOf(request).entries()) {
      const name = names[index] ?? ''
      images.push(await uploadPicture(parts, { ...photo, name }, signal))
    }
    parts.socket.follow(requestId)
    await order(parts, { requestId, images, request }, signal)
  } catch (error) {
    parts.socket.unfollow(requestId)
    await overwrite(parts, { requestId, urls: [] }, signal).catch(() => {})
    throw error
  }
  const { baseUrl } = parts
  return {
    requestId,
    statusUrl: `${baseUrl}/queue`,
    responseUrl: `${baseUrl}/history/${requestId}`,
    cancelUrl: `${baseUrl}/interrupt`,
  }
}

/** Places the request. Where the answer is lost, its id says whether it was taken. */
async function order(
  parts: Parts,
  { requestId, images, request }: { requestId: string; images: string[]; request: ImageRequest },
  signal: AbortSignal,
): Promise<void> {
  const graph = fillGraph(parts.graph, {
    prompt: request.prompt,
    images,
    size: sizeOf(parts.card, request.aspect),
    seed: Number.parseInt(requestId.slice(0, 8), 16),
  })
  const body = { prompt: graph, prompt_id: requestId, client_id: parts.clientId }
  try {
    const { prompt_id: kept } = readObject(await callComfy(parts, '/prompt', { body, signal }))
    if (kept === requestId) return
    if (typeof kept === 'string') {
      await stop(parts, kept, signal)
      const detail = 'this ComfyUI is too old: it gives requests ids of its own'
      throw new HostedError('provider_down', detail)
    }
    const detail = 'ComfyUI’s answer to a request is not as expected'
    throw new HostedError('unknown', detail, { maybeAccepted: true })
  } catch (error) {
    const isLost = error instanceof HostedError && error.maybeAccepted
    if (!isLost || (await findRequest(parts, requestId, signal)) === undefined) throw error
  }
}

/** How a request stands; undefined where ComfyUI doesn't know it. */
async function findRequest(
  parts: Parts,
  requestId: string,
  signal: AbortSignal,
): Promise<RequestStatus | undefined> {
  const { resultId } = parts.graph
  const view = (file: object) => {
    const query = new URLSearchParams(
      Object.entries(file).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value]] : [],
      ),
    )
    return `${parts.baseUrl}/view?${query.toString()}`
  }
  const history = async () => {
    const answer = await callComfy(parts, `/history/${requestId}`, { signal })
    return readHistory(answer, { requestId, resultId, view })
  }
  const ended = await history()
  if (ended !== undefined) return ended
  const waiting = readQueue(await callComfy(parts, '/queue', { signal }), requestId)
  // It may have ended between the two answers.
  return waiting ?? (await history())
}

async function stop(parts: Parts, requestId: string, signal: AbortSignal): Promise<void> {
  await callComfy(parts, '/queue', { body: { delete: [requestId] }, signal })
  await callComfy(parts, '/interrupt', { body: { prompt_id: requestId }, signal })
}
