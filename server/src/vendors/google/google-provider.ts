import { asList, asText, readObject } from '../../platform/http/read-object.ts'
import { askVendor } from '../call-vendor.ts'
import { decodePicture } from '../download-picture.ts'
import { HostedError } from '../hosted-error.ts'
import { photosOf } from '../hosted-provider.ts'
import type { DirectProvider, ImageRequest } from '../hosted-provider.ts'
import type { ProviderParts } from '../image-vendor.ts'
import { limitsOf } from '../models/model-description.ts'
import type { ModelDescription } from '../models/model-description.ts'

/** The card's model is one such as `gemini-3.1-flash-lite-image`. */
export interface GoogleOptions extends Omit<ProviderParts, 'resolveHost'> {
  /** With the version: `https://generativelanguage.googleapis.com/v1beta`. */
  baseUrl: string
  apiKey: string
}

/** Google's image models by `generateContent`: https://ai.google.dev/api/generate-content */
export function createGoogleProvider(options: GoogleOptions): DirectProvider {
  const { card, fetch, now, apiKey, timeoutMs } = options
  const api = { fetch, now, headers: { 'x-goog-api-key': apiKey }, errorOf: googleError }
  const address = `${options.baseUrl}/models/${card.model}`
  return {
    kind: 'direct',
    name: 'google',
    ...limitsOf(card, options.priceMicroUsd),

    async generate(request, signal) {
      const call = { body: buildBody(card, request), timeoutMs, signal }
      return [
        decodePicture(readGooglePicture(await askVendor(api, `${address}:generateContent`, call))),
      ]
    },

    async probe(signal) {
      await askVendor(api, address, { signal })
      return undefined
    },
  }
}

function buildBody(card: ModelDescription, request: ImageRequest): object {
  const photos = photosOf(request)
  const { shape } = card
  return {
    contents: [
      {
        role: 'user',
        parts: [
          { text: request.prompt },
          ...photos.map(({ bytes, mediaType }) => ({
            inlineData: { mimeType: mediaType, data: Buffer.from(bytes).toString('base64') },
          })),
        ],
      },
    ],
    generationConfig: {
      responseModalities: ['TEXT', 'IMAGE'],
      imageConfig: {
        ...(shape === undefined ? {} : { [shape.field]: shape.values[request.aspect] }),
        ...card.fields,
      },
    },
  }
}

/** Maps a failed answer `{error: {code, message, status, details}}`; body: JSON of any shape. */
export function googleError(status: number, body: unknown, retryAfterMs?: number): HostedError {
  const { status: word, message, details } = readObject(readObject(body)['error'])
  const detail = `Google answered ${status}: ${asText(word)} ${asText(message)}`.trim()
  if (status === 429 || status === 503) {
    const delayMs = retryAfterMs ?? readRetryDelayMs(details)
    return new HostedError('provider_busy', detail, { retryAfterMs: delayMs })
  }
  if (status === 408 || status === 504) {
    return new HostedError('timeout', detail, { maybeAccepted: true })
  }
  // A wrong key, or a country that isn't served, comes as a bad request too.
  const isOurs = /api.?key|location is not supported|billing/i.test(asText(message))
  if ((status === 400 || status === 413) && !isOurs) return new HostedError('bad_input', detail)
  return new HostedError('provider_down', detail, { maybeAccepted: status >= 500 })
}

/** Milliseconds of a `RetryInfo` such as `{retryDelay: "13s"}`, a minute at most. */
function readRetryDelayMs(details: unknown): number | undefined {
  const delays = asList(details).map((entry) => readObject(entry)['retryDelay'])
  const text = delays.find((delay) => typeof delay === 'string')
  const seconds = /^(\d{1,6}(?:\.\d+)?)s$/.exec(asText(text))?.[1]
  return seconds === undefined ? undefined : Math.min(Number(seconds) * 1000, 60_000)
}

/** Why a candidate ended without a picture, where the vendor's rules were the reason. */
const refusals = /^(?:IMAGE_)?(?:SAFETY|PROHIBITED_CONTENT|RECITATION)$|^(?:BLOCKLIST|SPII)$/

/**
 * The picture of a `generateContent` answer, as base64: the last one that isn't a draft of the
 * model's thinking. Throws `HostedError`: `policy_refused` where the prompt or the picture was
 * blocked, else `unknown`.
 */
export function readGooglePicture(body: unknown): string {
  const { candidates, promptFeedback } = readObject(body)
  const { blockReason } = readObject(promptFeedback)
  if (typeof blockReason === 'string') {
    throw new HostedError('policy_refused', `the request was blocked: ${blockReason}`)
  }
  const candidate = readObject(asList(candidates)[0])
  const { finishReason: reason } = candidate
  const { parts } = readObject(candidate['content'])
  const pictures = asList(parts).flatMap((part) => {
    const { thought, inlineData } = readObject(part)
    const { data } = readObject(inlineData)
    return thought === true || typeof data !== 'string' || data === '' ? [] : [data]
  })
  const picture = pictures.at(-1)
  if (picture !== undefined) return picture
  const word = typeof reason === 'string' ? reason : 'no reason given'
  // Its family ends so, too, when its filter has turned the picture down.
  const isRefused = refusals.test(word) || word === 'NO_IMAGE'
  throw new HostedError(
    isRefused ? 'policy_refused' : 'unknown',
    `the answer has no picture: ${word}`,
  )
}
