import { callVendor, readRetryAfterMs } from '../call-vendor.ts'
import { decodePicture, downloadPicture } from '../download-picture.ts'
import { readObject } from '../../../http/read-object.ts'
import { HostedError } from '../hosted-error.ts'
import type { DirectProvider, ImageRequest } from '../hosted-provider.ts'
import type { Aspect, NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { openaiError } from './openai-errors.ts'

export interface OpenaiOptions {
  /** Such as `gpt-image-1.5` or `Qwen/Qwen-Image-Edit-2511`. */
  model: string
  /** With the version, without a slash at the end: `https://api.openai.com/v1`. */
  baseUrl: string
  /** Undefined for a server of one's own that asks for none. */
  apiKey: string | undefined
  /** Further fields of the form, such as `{"num_inference_steps": 40}`; they win over ours. */
  extraFields: Readonly<Record<string, string | number | boolean>>
  /** How long one picture may take. */
  timeoutMs: number
  fetch: typeof globalThis.fetch
  resolveHost: (host: string) => Promise<string[]>
  now: () => number
  priceMicroUsd?: number | undefined
}

/** What OpenAI's own models take; they refuse `response_format` and know three sizes. */
const gptImageSizes: Record<Aspect, string> = {
  '4:5': '1024x1536',
  '1:1': '1024x1024',
  '16:9': '1536x1024',
  '9:16': '1024x1536',
}
/** For open models: about one megapixel, both sides in multiples of 32. */
const openModelSizes: Record<Aspect, string> = {
  '4:5': '1024x1280',
  '1:1': '1152x1152',
  '16:9': '1536x864',
  '9:16': '864x1536',
}
/** Millionths of a US dollar at medium quality and portrait size; vendors change it. */
const prices: Readonly<Record<string, number>> = {
  'gpt-image-2': 60_000,
  'gpt-image-1.5': 50_000,
  'gpt-image-1': 63_000,
  'gpt-image-1-mini': 15_000,
}
/** OpenAI's own models take 16 photos; of a server of one's own it isn't known. */
const gptImagePhotosMax = 16
const openModelPhotosMax = 2
const answerBytesMax = 48 * 1024 * 1024
/** OpenAI's limit is 32,000; servers with a small text encoder cut anything long. */
const promptLengthMax = 2_000

/**
 * Any server with OpenAI's `POST /images/edits`: OpenAI, vLLM-Omni, SGLang, LiteLLM. The picture
 * comes on the same connection, so a connection that dies leaves open what was charged.
 * https://platform.openai.com/docs/api-reference/images/createEdit
 */
export function createOpenaiProvider(options: OpenaiOptions): DirectProvider {
  const { model, fetch } = options
  return {
    kind: 'direct',
    name: 'openai',
    model,
    priceMicroUsd: options.priceMicroUsd ?? prices[model] ?? 0,
    promptLengthMax,
    photosMax: isGptImage(model) ? gptImagePhotosMax : openModelPhotosMax,

    async generate(request, signal) {
      const answer = await callVendor(fetch, `${options.baseUrl}/images/edits`, {
        method: 'POST',
        headers: options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` },
        body: buildForm(options, request),
        timeoutMs: options.timeoutMs,
        bytesMax: answerBytesMax,
        signal,
      })
      if (answer.status !== 200) {
        const retryAfterMs = readRetryAfterMs(answer.headers, options.now())
        throw openaiError(answer.status, answer.body, retryAfterMs)
      }
      return await readPicture(options, answer.body, signal)
    },
  }
}

function isGptImage(model: string): boolean {
  return /^gpt-image|^chatgpt-image/.test(model)
}

function buildForm(options: OpenaiOptions, request: ImageRequest): FormData {
  const isGpt = isGptImage(options.model)
  const fields: Record<string, string | number | boolean> = {
    model: options.model,
    prompt: request.prompt,
    n: 1,
    size: (isGpt ? gptImageSizes : openModelSizes)[request.aspect],
    ...(isGpt ? { output_format: 'jpeg' } : { response_format: 'b64_json' }),
    ...options.extraFields,
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  form.append('image[]', toBlob(request.userPhoto), fileName('user', request.userPhoto))
  for (const photo of request.starPhotos) {
    form.append('image[]', toBlob(photo), fileName('star', photo))
  }
  return form
}

function toBlob(photo: NormalisedPhoto): Blob {
  return new Blob([Uint8Array.from(photo.bytes)], { type: photo.mediaType })
}

function fileName(role: string, photo: NormalisedPhoto): string {
  return `${role}.${photo.mediaType === 'image/png' ? 'png' : 'jpg'}`
}

/** `data[0].b64_json`, or `data[0].url` on the server's own origin. */
async function readPicture(
  options: OpenaiOptions,
  body: unknown,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { data } = readObject(body)
  const { b64_json: base64, url } = readObject(Array.isArray(data) ? data[0] : undefined)
  if (typeof base64 === 'string' && base64 !== '') return decodePicture(base64)
  if (typeof url !== 'string') throw new HostedError('unknown', 'the answer has no picture')
  const rules = { hosts: [], origins: [new URL(options.baseUrl).origin] }
  return await downloadPicture(options, url, { rules, signal })
}
