import { callVendor } from '../call-vendor.ts'
import type { VendorAnswer } from '../call-vendor.ts'
import { readObject } from '../../platform/http/read-object.ts'
import { HostedError } from '../hosted-error.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'

export interface ComfyServer {
  /** Without a slash at the end: `http://gpu:8188`. */
  baseUrl: string
  fetch: typeof globalThis.fetch
}

const timeoutMs = 30_000
/** An answer holds whole graphs at most. */
const answerBytesMax = 16 * 1024 * 1024

/** One call of ComfyUI's own interface (`server.py`). Throws `HostedError` unless it answers 200. */
export async function callComfy(
  { baseUrl, fetch }: ComfyServer,
  path: string,
  { body, signal }: { body?: object | FormData; signal: AbortSignal },
): Promise<unknown> {
  const isForm = body instanceof FormData
  const answer = await callVendor(fetch, `${baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: body === undefined || isForm ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    timeoutMs,
    bytesMax: answerBytesMax,
    signal,
  })
  if (answer.status !== 200) throw comfyError(answer)
  return answer.body
}

/**
 * Uploads a picture into ComfyUI's folder of temporary files, in the place of one of that name.
 * @returns the name by which a `LoadImage` node finds it
 */
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
function comfyError({ status, body }: VendorAnswer): HostedError {
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
 * Overwrites what a request has left in the temporary files, photos and pictures, with a white pixel,
 * and deletes it from the history: ComfyUI has no call that deletes files. What a graph of the
 * operator's saves elsewhere stays.
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
