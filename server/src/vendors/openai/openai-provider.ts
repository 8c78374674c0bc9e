import { callVendor } from '../call-vendor.ts'
import type { DirectProvider, ImageRequest } from '../hosted-provider.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import type { ProviderParts } from '../image-vendor.ts'
import { limitsOf } from '../models/limits-of.ts'
import { authorizationOf, probeModel, readImages } from './openai-answers.ts'

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
