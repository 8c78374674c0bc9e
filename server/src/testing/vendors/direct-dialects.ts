import type { FastifyRequest } from 'fastify'
import { forceSize } from './force-size.ts'
import { readForm } from './scripted-server.ts'

/** One call as it came. */
export interface DirectCall {
  fields: Record<string, string>
  /** Names of the photos' fields in their order, with their declared types. */
  files: { field: string; type: string; bytes: number }[]
  /** The photos as the model gets them. */
  photos: Buffer[]
}

/** A picture in an answer. */
type AnsweredPicture = { base64: string } | { url: string }

/** What the services differ in. */
interface Dialect {
  /** Where pictures are asked for. */
  path: string
  /** The key as the service wants to be sent it; nothing where it asks for none. */
  keyOf(request: FastifyRequest): string | undefined
  read(request: FastifyRequest): Promise<DirectCall>
  answer(pictures: readonly AnsweredPicture[]): object
}

/** OpenAI, vLLM-Omni, SGLang: a form with `image[]`. */
const openai: Dialect = {
  path: '/v1/images/edits',
  keyOf: ({ headers }) => headers.authorization?.replace(/^Bearer /, '') ?? '',
  async read(request) {
    const call: DirectCall = { fields: {}, files: [], photos: [] }
    for (const [field, value] of (await readForm(request)).entries()) {
      if (typeof value === 'string') call.fields[field] = value
      else addPhoto(call, { field, type: value.type }, Buffer.from(await value.arrayBuffer()))
    }
    return call
  },
  answer(pictures) {
    const data = pictures.map((one) => ('url' in one ? one : { b64_json: one.base64 }))
    return { created: 1, data, output_format: 'jpeg' }
  },
}

/**
 * `sd-server` of stable-diffusion.cpp (examples/server/routes_openai.cpp, 97d29908): a form too; it
 * asks for no key, and cuts each photo around its middle to the shape of `size`, then resizes it.
 */
const sdcpp: Dialect = {
  ...openai,
  keyOf: () => undefined,
  async read(request) {
    const call = await openai.read(request)
    return { ...call, photos: await forceSize(call.photos, call.fields['size']) }
  },
}

interface GoogleRequest {
  contents: { parts: { text?: string; inlineData?: { mimeType: string; data: string } }[] }[]
  generationConfig?: { imageConfig?: Record<string, unknown> }
}

/** Google's `generateContent` (https://ai.google.dev/api/generate-content). */
const google: Dialect = {
  path: '/v1beta/models/:model',
  keyOf: ({ headers }) => String(headers['x-goog-api-key']),
  async read({ body, url }) {
    const { contents, generationConfig } = body as GoogleRequest
    const fields = { url, ...toTexts(generationConfig?.imageConfig ?? {}) }
    const call: DirectCall = { fields, files: [], photos: [] }
    for (const { text, inlineData } of contents[0]?.parts ?? []) {
      if (text !== undefined) call.fields['prompt'] = text
      if (inlineData === undefined) continue
      const { mimeType: type, data } = inlineData
      addPhoto(call, { field: 'inlineData', type }, Buffer.from(data, 'base64'))
    }
    return call
  },
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
}

function googlePart(picture: AnsweredPicture): object {
  if ('url' in picture) return { text: picture.url }
  return { inlineData: { mimeType: 'image/jpeg', data: picture.base64 } }
}

function addPhoto(call: DirectCall, about: { field: string; type: string }, photo: Buffer): void {
  call.files.push({ ...about, bytes: photo.length })
  call.photos.push(photo)
}

function toTexts(fields: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}

/** What the services that answer with the picture speak. */
export const dialects = { openai, sdcpp, google }
export type DialectName = keyof typeof dialects
