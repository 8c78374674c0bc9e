import { callVendor, readRetryAfterMs } from '../call-vendor.ts'
import type { VendorAnswer } from '../call-vendor.ts'
import { decodePicture } from '../download-picture.ts'
import { photosOf } from '../hosted-provider.ts'
import type { DirectProvider, ImageRequest } from '../hosted-provider.ts'
import { limitsOf } from '../models/limits-of.ts'
import type { ModelDescription } from '../models/model-description.ts'
import { googleError } from './google-errors.ts'
import { readGooglePicture } from './google-output.ts'

export interface GoogleOptions {
  /** Its model is one such as `gemini-3.1-flash-lite-image`. */
  card: ModelDescription
  /** With the version: `https://generativelanguage.googleapis.com/v1beta`. */
  baseUrl: string
  apiKey: string
  /** How long one picture may take. */
  timeoutMs: number
  fetch: typeof globalThis.fetch
  now: () => number
  priceMicroUsd?: number | undefined
}

const answerBytesMax = 48 * 1024 * 1024
const probeTimeoutMs = 15_000

/**
 * Google's image models, by `generateContent` with the photos within the request. The picture comes
 * on the same connection. https://ai.google.dev/api/generate-content
 */
export function createGoogleProvider(options: GoogleOptions): DirectProvider {
  const { card } = options
  const address = `${options.baseUrl}/models/${card.model}`
  return {
    kind: 'direct',
    name: 'google',
    ...limitsOf(card, options.priceMicroUsd),

    async generate(request, signal) {
      const answer = await callVendor(options.fetch, `${address}:generateContent`, {
        method: 'POST',
        headers: { ...keyOf(options), 'content-type': 'application/json' },
        body: JSON.stringify(buildBody(card, request)),
        timeoutMs: options.timeoutMs,
        bytesMax: answerBytesMax,
        signal,
      })
      assertOk(options, answer)
      return [decodePicture(readGooglePicture(answer.body))]
    },

    async probe(signal) {
      const timeoutMs = probeTimeoutMs
      const call = { method: 'GET', headers: keyOf(options), timeoutMs } as const
      const bytesMax = answerBytesMax
      assertOk(options, await callVendor(options.fetch, address, { ...call, bytesMax, signal }))
    },
  }
}

function keyOf({ apiKey }: GoogleOptions): Record<string, string> {
  return { 'x-goog-api-key': apiKey }
}

function assertOk(options: GoogleOptions, { status, headers, body }: VendorAnswer): void {
  if (status !== 200) throw googleError(status, body, readRetryAfterMs(headers, options.now()))
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
