import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { askVendor } from '../call-vendor.ts'
import type { VendorApi } from '../call-vendor.ts'
import { readObject, asList } from '../../platform/http/read-object.ts'
import { HostedError } from '../hosted-error.ts'
import { failedRequest } from '../hosted-provider.ts'
import type { RequestStatus } from '../hosted-provider.ts'

export interface ComfyServer extends Pick<VendorApi, 'fetch' | 'now'> {
  /** Without a slash at the end: `http://gpu:8188`. */
  baseUrl: string
}

const timeoutMs = 30_000
/** An answer holds whole graphs at most. */
const bytesMax = 16 * 1024 * 1024

/** One call of ComfyUI's own interface (`server.py`). Throws `HostedError` unless it succeeds. */
export function callComfy(
  { baseUrl, fetch, now }: ComfyServer,
  path: string,
  asked: { body?: object | FormData; signal: AbortSignal },
): Promise<unknown> {
  const api = { fetch, now, errorOf: comfyError }
  return askVendor(api, `${baseUrl}${path}`, { ...asked, timeoutMs, bytesMax })
}

/** Uploads a temporary picture over one of that name; gives the name for a `LoadImage` node. */
export async function uploadPicture(
  server: ComfyServer,
  picture: Pick<NormalisedPhoto, 'bytes' | 'mediaType'> & { name: string; subfolder?: string },
  signal: AbortSignal,
): Promise<string> {
  const { bytes, mediaType, name, subfolder = '' } = picture
  const form = new FormData()
  form.set('image', new Blob([Uint8Array.from(bytes)], { type: mediaType }), name)
  form.set('type', 'temp')
  form.set('subfolder', subfolder)
  form.set('overwrite', 'true')
  const { name: kept } = readObject(
    await callComfy(server, '/upload/image', { body: form, signal }),
  )
  if (kept !== name) throw new HostedError('unknown', 'ComfyUI keeps an upload under another name')
  return `${name} [temp]`
}

/** What ComfyUI doesn't take is the operator's to mend: its graph, its nodes, its models. */
function comfyError(status: number, body: unknown): HostedError {
  const { error, node_errors: nodes } = readObject(body)
  const { message, details } = readObject(error)
  const words = [message, details, nodeWords(nodes)].filter((each) => typeof each === 'string')
  const text = `ComfyUI answered ${status}: ${words.join(' ')}`
  if (status === 429 || status === 503) return new HostedError('provider_busy', text)
  if (status === 413) return new HostedError('bad_input', text)
  return new HostedError('provider_down', text, { maybeAccepted: status >= 500 })
}

/** The first thing that is wrong with a node. */
function nodeWords(nodes: unknown): string | undefined {
  const [first] = Object.values(readObject(nodes))
  const { errors, class_type: kind } = readObject(first)
  const { details } = readObject(Array.isArray(errors) ? errors[0] : undefined)
  return typeof details === 'string' ? `${String(kind)}: ${details}` : undefined
}

/** A white pixel (PNG, written by sharp). */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC',
  'base64',
)

/** The names of a request's photos in ComfyUI's folder of temporary files. */
export function photoNames(requestId: string): string[] {
  return [1, 2, 3].map((place) => `starside-${requestId}-${place}.jpg`)
}

/**
 * Overwrites a request's temporary files with a white pixel, as ComfyUI deletes none, and drops its
 * history. What an operator's graph saves elsewhere stays.
 */
export async function overwrite(
  server: ComfyServer,
  { requestId, urls }: { requestId: string; urls: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  const pictures = urls
    .map((url) => new URL(url).searchParams)
    .filter((result) => result.get('type') === 'temp')
    .map((result) => ({
      name: result.get('filename') ?? '',
      subfolder: result.get('subfolder') ?? '',
    }))
  const files = [...photoNames(requestId).map((name) => ({ name, subfolder: '' })), ...pictures]
  for (const file of files) {
    await uploadPicture(server, { bytes: pixel, mediaType: 'image/png', ...file }, signal)
  }
  await callComfy(server, '/history', { body: { delete: [requestId] }, signal })
}

/** A request's state in ComfyUI's history, undefined without; `view` makes a picture's address. */
export function readHistory(
  body: unknown,
  asked: { requestId: string; resultId: string; view(file: object): string },
): RequestStatus | undefined {
  const { requestId, resultId, view } = asked
  const entry = readObject(body)[requestId]
  if (entry === undefined) return undefined
  const { outputs, status } = readObject(entry)
  const { status_str: word, messages } = readObject(status)
  if (word === 'error') return failedRequest('provider_down', errorWords(messages))
  const { images } = readObject(readObject(outputs)[resultId])
  const files = asList(images)
    .map(readObject)
    .filter(({ filename }) => typeof filename === 'string')
  if (files.length === 0) return failedRequest('unknown', 'the result has no picture')
  return { state: 'pictures', urls: files.map(view) }
}

/** How a request stands by ComfyUI's queue; undefined where it isn't in it. */
export function readQueue(body: unknown, requestId: string): RequestStatus | undefined {
  const { queue_running: running, queue_pending: pending } = readObject(body)
  if (idsOf(running).includes(requestId)) return { state: 'working' }
  const place = idsOf(pending).indexOf(requestId)
  return place < 0 ? undefined : { state: 'queued', position: place }
}

/** An item is `[number, prompt_id, graph, …]`; what is first in the list needn't come first. */
function idsOf(items: unknown): unknown[] {
  return asList(items)
    .map(asList)
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([, id]) => id)
}

/** Messages are pairs such as `['execution_error', {node_type, exception_message}]`. */
function errorWords(messages: unknown): string {
  for (const message of asList(messages)) {
    const [kind, data] = asList(message)
    if (kind === 'execution_interrupted') return 'ComfyUI was told to stop the request'
    if (kind !== 'execution_error') continue
    const { node_type: node, exception_message: words } = readObject(data)
    return `ComfyUI failed in ${String(node)}: ${String(words)}`
  }
  return 'ComfyUI failed without words'
}
