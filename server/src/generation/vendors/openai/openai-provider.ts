import { callVendor, readRetryAfterMs } from '../call-vendor.ts'
import { decodePicture, downloadPicture } from '../download-picture.ts'
import { readObject } from '../../../http/read-object.ts'
import { HostedError } from '../hosted-error.ts'
import type { DirectProvider, ImageRequest } from '../hosted-provider.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { limitsOf } from '../models/limits-of.ts'
import type { ModelCard } from '../models/model-card.ts'
import { openaiError } from './openai-errors.ts'

export interface OpenaiOptions {
  card: ModelCard
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

const answerBytesMax = 48 * 1024 * 1024
/**
 * Any server with OpenAI's `POST /images/edits`: OpenAI, vLLM-Omni, SGLang, LiteLLM. The picture
 * comes on the same connection, so a connection that dies leaves open what was charged.
 * https://platform.openai.com/docs/api-reference/images/createEdit
 */
export function createOpenaiProvider(options: OpenaiOptions): DirectProvider {
  const { fetch } = options
  return {
    kind: 'direct',
    name: 'openai',
    ...limitsOf(options.card, options.priceMicroUsd),

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

function buildForm({ card, extraFields }: OpenaiOptions, request: ImageRequest): FormData {
  const { shape, outputFormat } = card
  const fields = {
    model: card.model,
    prompt: request.prompt,
    ...(card.takesCount === true ? { n: 1 } : {}),
    ...(shape === undefined ? {} : { [shape.field]: sizeText(shape.values[request.aspect]) }),
    ...(outputFormat === undefined ? {} : { output_format: outputFormat }),
    ...card.fields,
    ...extraFields,
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  form.append('image[]', toBlob(request.userPhoto), fileName('user', request.userPhoto))
  for (const photo of request.starPhotos) {
    form.append('image[]', toBlob(photo), fileName('star', photo))
  }
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
