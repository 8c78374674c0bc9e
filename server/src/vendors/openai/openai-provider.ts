import { z } from 'zod'
import { askVendor } from '../call-vendor.ts'
import type { VendorApi } from '../call-vendor.ts'
import { photosOf } from '../hosted-provider.ts'
import type { DirectProvider, ImageRequest } from '../hosted-provider.ts'
import type { ProviderParts } from '../image-vendor.ts'
import { limitsOf } from '../models/model-description.ts'
import { collectPictures, decodePicture, downloadPicture } from '../download-picture.ts'
import { asList, asText, readObject } from '../../platform/http/read-object.ts'
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
  const { fetch, now, apiKey, timeoutMs } = options
  // A server of one's own may ask for no key.
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const api = { fetch, now, headers, errorOf: openaiError }
  return {
    kind: 'direct',
    name: options.name,
    ...limitsOf(options.card, options.priceMicroUsd),

    async generate(request, signal) {
      const call = { body: buildForm(options, request), timeoutMs, signal }
      const answer = await askVendor(api, `${options.baseUrl}/images/edits`, call)
      return readImages(options, answer, { count: request.count, signal })
    },

    probe: (signal) => probeModel(options, api, signal),
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
  const roles = ['user', ...request.starPhotos.map((_, index) => `star-${index + 1}`), 'place']
  for (const [index, { bytes, mediaType: type }] of photosOf(request).entries()) {
    const name = `${roles[index]}.${type === 'image/png' ? 'png' : 'jpg'}`
    form.append('image[]', new Blob([Uint8Array.from(bytes)], { type }), name)
  }
  return form
}

function sizeText(value: string | { width: number; height: number }): string {
  return typeof value === 'string' ? value : `${value.width}x${value.height}`
}

const listBytesMax = 4 * 1024 * 1024
const isoDay = z.iso.date()

/**
 * The first pictures of an answer, as many as were asked for: each is `b64_json`, or `url` on the
 * server's own origin. Those that can't be had are left out; throws `HostedError` where none can.
 */
async function readImages(
  options: OpenaiOptions,
  answer: unknown,
  { count, signal }: { count: number; signal: AbortSignal },
): Promise<Uint8Array[]> {
  const { data } = readObject(answer)
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
async function probeModel(
  { baseUrl, card, name }: OpenaiOptions,
  api: VendorApi,
  signal: AbortSignal,
): Promise<string | undefined> {
  const list = await askVendor(api, `${baseUrl}/models`, { bytesMax: listBytesMax, signal })
  const { data } = readObject(list)
  const found = asList(data)
    .map(readObject)
    .find(({ id }) => id === card.model)
  if (found !== undefined) return isoDay.safeParse(found['shutdown_date']).data
  if (name === 'sdcpp') return undefined
  throw new HostedError('provider_down', `the server doesn’t list ${card.model}`)
}

/** Maps a failed answer: OpenAI's `{error: {message, type, code}}`, vLLM's, SGLang's `{detail}`. */
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
    const name = asText(typeof code === 'string' ? code : type)
    return { code: name, text: typeof message === 'string' ? message : name }
  }
  // sd-server says `server_error`, with the words beside it.
  const words = readObject(body)['message']
  if (typeof error === 'string' && typeof words === 'string') return { code: error, text: words }
  const text = typeof error === 'string' ? error : detail
  return { code: '', text: typeof text === 'string' ? text : JSON.stringify(text ?? '') }
}
