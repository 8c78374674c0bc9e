import type { FastifyRequest } from 'fastify'
import { forceSize } from './force-size.ts'

/** One call as it came. */
export interface DirectCall {
  fields: Record<string, string>
  /** Names of the photos' fields in their order, with their declared types. */
  files: { field: string; type: string; bytes: number }[]
  /** The photos as the model gets them. */
  photos: Buffer[]
}

/** A picture in an answer. */
export type AnsweredPicture = { base64: string } | { url: string }

/** What the services differ in. */
export interface Dialect {
  /** Where pictures are asked for. */
  path: string
  isKeyRight(request: FastifyRequest, apiKey: string): boolean
  read(request: FastifyRequest): Promise<DirectCall>
  failure(status: number, code: string, message: string): object
  answer(pictures: readonly AnsweredPicture[]): object
  /** An answer in which the service's own rules turned the request down. */
  refusal: { status: number; body: object }
}

const isBearerRight: Dialect['isKeyRight'] = ({ headers }, key) =>
  headers.authorization === `Bearer ${key}`

function answerData(pictures: readonly AnsweredPicture[]): object {
  const data = pictures.map((picture) =>
    'url' in picture ? picture : { b64_json: picture.base64 },
  )
  return { created: 1, data, output_format: 'jpeg' }
}

function openaiFailure(status: number, code: string, message: string): object {
  const type = status < 500 ? 'invalid_request_error' : 'server_error'
  return { error: { message, type, param: null, code } }
}

const safetyWords = 'Your request was rejected by the safety system.'

/** OpenAI, vLLM-Omni, SGLang: a form with `image[]`. */
const openai: Dialect = {
  path: '/v1/images/edits',
  isKeyRight: isBearerRight,
  read: readForm,
  failure: openaiFailure,
  answer: answerData,
  refusal: { status: 400, body: openaiFailure(400, 'moderation_blocked', safetyWords) },
}

/**
 * `sd-server` of stable-diffusion.cpp (examples/server/routes_openai.cpp, 97d29908): a form too; it
 * asks for no key, and cuts each photo around its middle to the shape of `size`, then resizes it.
 */
const sdcpp: Dialect = {
  ...openai,
  isKeyRight: () => true,
  async read(request) {
    const call = await readForm(request)
    return { ...call, photos: await forceSize(call.photos, call.fields['size'], 'cut') }
  },
  failure: (status, code, message) =>
    status < 500 ? { error: message } : { error: code, message },
  refusal: { status: 400, body: { error: 'invalid params' } },
}

/**
 * LocalAI (core/http/endpoints/openai/image.go, 82c191afa): JSON with `ref_images` in bare base64,
 * which its backend stretches to `size`.
 */
const localai: Dialect = {
  path: '/v1/images/generations',
  isKeyRight: isBearerRight,
  async read({ body }) {
    const { ref_images: photosAsText, ...fields } = record(body)
    const photos = texts(photosAsText).map((text) => Buffer.from(text, 'base64'))
    const sized = await forceSize(photos, String(fields['size']), 'stretch')
    const files = photos.map(({ length }) => ({ field: 'ref_images', type: '', bytes: length }))
    return { fields: plain(fields), files, photos: sized }
  },
  failure: (status, _code, message) => ({ error: { code: status, message, type: '' } }),
  answer: answerData,
  refusal: { status: 500, body: { error: { code: 500, message: 'safety checker', type: '' } } },
}

/** Google's `generateContent` (https://ai.google.dev/api/generate-content). */
const google: Dialect = {
  path: '/v1beta/models/:model',
  isKeyRight: ({ headers }, key) => headers['x-goog-api-key'] === key,
  read: async ({ body, url }) => readContents(record(body), url),
  failure: (status, code, message) => ({
    error: { code: status, message, status: code.toUpperCase(), details: [] },
  }),
  answer: (pictures) => ({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [{ text: 'A draft.', thought: true }, ...pictures.map(googlePart)],
        },
        finishReason: 'STOP',
      },
    ],
  }),
  refusal: { status: 200, body: { candidates: [{ finishReason: 'IMAGE_SAFETY' }] } },
}

function googlePart(picture: AnsweredPicture): object {
  return 'url' in picture
    ? { text: picture.url }
    : { inlineData: { mimeType: 'image/jpeg', data: picture.base64 } }
}

export const dialects = { openai, sdcpp, localai, google }
export type DialectName = keyof typeof dialects

async function readForm(request: FastifyRequest): Promise<DirectCall> {
  const contentType = String(request.headers['content-type'])
  const body = new Uint8Array(request.body as Buffer)
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData()
  const call: DirectCall = { fields: {}, files: [], photos: [] }
  for (const [field, value] of form.entries()) {
    if (typeof value === 'string') call.fields[field] = value
    else {
      const bytes = Buffer.from(await value.arrayBuffer())
      call.files.push({ field, type: value.type, bytes: bytes.length })
      call.photos.push(bytes)
    }
  }
  return call
}

function readContents({ contents, generationConfig }: Record<string, unknown>, url: string) {
  const call: DirectCall = { fields: { url }, files: [], photos: [] }
  const { parts } = record(list(contents)[0])
  for (const part of list(parts)) {
    const { text, inlineData } = record(part)
    if (typeof text === 'string') call.fields['prompt'] = text
    const { mimeType, data } = record(inlineData)
    if (typeof data !== 'string') continue
    const bytes = Buffer.from(data, 'base64')
    call.files.push({ field: 'inlineData', type: String(mimeType), bytes: bytes.length })
    call.photos.push(bytes)
  }
  const { imageConfig } = record(generationConfig)
  Object.assign(call.fields, plain(record(imageConfig)))
  return call
}

function plain(fields: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function texts(value: unknown): string[] {
  return list(value).filter((each) => typeof each === 'string')
}
