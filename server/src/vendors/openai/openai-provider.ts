import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { z } from 'zod'
import { callVendor, readRetryAfterMs } from '../call-vendor.ts'
import type { VendorAnswer } from '../call-vendor.ts'
import type { DirectProvider, ImageRequest } from '../hosted-provider.ts'
import type { ProviderParts } from '../image-vendor.ts'
import { limitsOf } from '../models/model-description.ts'
import { collectPictures, decodePicture, downloadPicture } from '../download-picture.ts'
import { asList, readObject } from '../../platform/http/read-object.ts'
import { HostedError } from '../hosted-error.ts'

export interface OpenaiOptions extends ProviderParts {
  /** A server may need what OpenAI's own doesn't; its card says what. */
  name: 'openai' | 'sdcpp'
  /** With the version, without a slash at the end: `https://api.openai.com/v1`. */
  baseUrl: string
  /** Undefined for a server of one's own that asks for none. */
  apiKey: string | undefined
  /** Further fields of the form, such as `{"num_inference_steps": 40}`; they win over ours. */
  extraFields: Readonly<Record<string, string | number | boolean>>
}
/**
 * Any server with OpenAI's `POST /images/edits`: OpenAI, vLLM-Omni, SGLang, LiteLLM, sd-server. The picture
 * comes on the same connection, so a connection that dies leaves open what was charged.
 * https://platform.openai.com/docs/api-reference/images/createEdit
 */
export function createOpenaiProvider(options: OpenaiOptions): DirectProvider {
  const { fetch } = options
  return {
    kind: 'direct',
    name: options.name,
    ...limitsOf(options.card, options.priceMicroUsd),

    async generate(request, signal) {
      const answer = await callVendor(fetch, `${options.baseUrl}/images/edits`, {
        method: 'POST',
        headers: authorizationOf(options),
        body: buildForm(options, request),
        timeoutMs: options.timeoutMs,
        signal,
      })
      return await readImages(options, answer, { count: request.count, signal })
    },

    probe: (signal) => probeModel(options, signal),
  }
}

/** The fields of a request beside its photos, by the model's card; the operator's own win. */
function plainFields(
  { card, extraFields }: OpenaiOptions,
  request: ImageRequest,
): Record<string, string | number | boolean> {
  const { shape, outputFormat } = card
  return {
    model: card.model,
    prompt: request.prompt,
    ...(card.takesCount === true ? { n: request.count } : {}),
    ...(shape === undefined ? {} : { [shape.field]: sizeText(shape.values[request.aspect]) }),
    ...(outputFormat === undefined ? {} : { output_format: outputFormat }),
    ...card.fields,
    ...extraFields,
  }
}

function buildForm(options: OpenaiOptions, request: ImageRequest): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(plainFields(options, request)))
    form.set(name, String(value))
  form.append('image[]', toBlob(request.userPhoto), fileName('user', request.userPhoto))
  for (const [n, photo] of request.starPhotos.entries()) {
    form.append('image[]', toBlob(photo), fileName(`star-${n + 1}`, photo))
  }
  const { backgroundPhoto: place } = request
  if (place !== undefined) form.append('image[]', toBlob(place), fileName('place', place))
  return form
}

function sizeText(value: string | { width: number; height: number }): string {
  return typeof value === 'string' ? value : `${value.width}x${value.height}`
}

function toBlob(photo: NormalisedPhoto): Blob {
  return new Blob([Uint8Array.from(photo.bytes)], { type: photo.mediaType })
}

function fileName(role: string, photo: NormalisedPhoto): string {
  return `${role}.${photo.mediaType === 'image/png' ? 'png' : 'jpg'}`
}

const listBytesMax = 4 * 1024 * 1024
const isoDay = z.iso.date()

/** The key's header; none where the server asks for no key. */
export function authorizationOf({ apiKey }: OpenaiOptions): Record<string, string> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
}

/**
 * The first pictures of an answer, as many as were asked for: each is `b64_json`, or `url` on the
 * server's own origin. Those that can't be had are left out; throws `HostedError` where none can.
 */
export async function readImages(
  options: OpenaiOptions,
  answer: VendorAnswer,
  { count, signal }: { count: number; signal: AbortSignal },
): Promise<Uint8Array[]> {
  assertOk(options, answer)
  const { data } = readObject(answer.body)
  const entries = asList(data).slice(0, count)
  const rules = { hosts: [], origins: [new URL(options.baseUrl).origin] }
  return await collectPictures(entries, async (entry) => {
    const { b64_json: base64, url } = readObject(entry)
    if (typeof base64 === 'string' && base64 !== '') return decodePicture(base64)
    if (typeof url !== 'string') throw new HostedError('unknown', 'the answer has no picture')
    return await downloadPicture(options, url, { rules, signal })
  })
}

/**
 * Looks for the model in the server's list. sd-server has one model, under a name of its own. OpenAI's
 * list has `shutdown_date`. https://developers.openai.com/api/docs/deprecations
 */
export async function probeModel(
  options: OpenaiOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  const answer = await callVendor(options.fetch, `${options.baseUrl}/models`, {
    method: 'GET',
    headers: authorizationOf(options),
    bytesMax: listBytesMax,
    signal,
  })
  assertOk(options, answer)
  const { data } = readObject(answer.body)
  const found = asList(data)
    .map(readObject)
    .find(({ id }) => id === options.card.model)
  if (found !== undefined) return isoDay.safeParse(found['shutdown_date']).data
  if (options.name === 'sdcpp') return undefined
  throw new HostedError('provider_down', `the server doesn’t list ${options.card.model}`)
}

function assertOk(options: OpenaiOptions, { status, headers, body }: VendorAnswer): void {
  if (status !== 200) throw openaiError(status, body, readRetryAfterMs(headers, options.now()))
}

/**
 * Maps an answer that isn't a success: OpenAI's `{error: {message, type, code}}`, and the plain
 * `{detail}` of vLLM and SGLang.
 * @param body parsed JSON, of any shape
 */
export function openaiError(status: number, body: unknown, retryAfterMs?: number): HostedError {
  const { code, text } = readError(body)
  const detail = `the server answered ${status}: ${text}`
  if (status === 429 && code !== 'insufficient_quota' && code !== 'billing_hard_limit_reached') {
    return new HostedError('provider_busy', detail, { retryAfterMs })
  }
  if (status === 503) return new HostedError('provider_busy', detail, { retryAfterMs })
  if (status === 408 || status === 504 || status === 524) {
    return new HostedError('timeout', detail, { maybeAccepted: true })
  }
  if ([400, 413, 415, 422].includes(status)) {
    return new HostedError(isRefusal(code, text) ? 'policy_refused' : 'bad_input', detail)
  }
  // Keys, quota and model names are the operator's to mend; the user can only wait.
  return new HostedError('provider_down', detail, { maybeAccepted: status >= 500 })
}

function isRefusal(code: string, text: string): boolean {
  return (
    /moderation|content_policy|safety/.test(code) ||
    /safety system|content polic|moderation|safety checker/i.test(text)
  )
}

function readError(body: unknown): { code: string; text: string } {
  const { error, detail } = readObject(body)
  if (typeof error === 'object' && error !== null) {
    const { code, type, message } = readObject(error)
    const word = typeof code === 'string' ? code : type
    const name = typeof word === 'string' ? word : ''
    return { code: name, text: typeof message === 'string' ? message : name }
  }
  // sd-server says `server_error`, with the words beside it.
  const words = readObject(body)['message']
  if (typeof error === 'string' && typeof words === 'string') return { code: error, text: words }
  const text = typeof error === 'string' ? error : detail
  return { code: '', text: typeof text === 'string' ? text : JSON.stringify(text ?? '') }
}
