import { generateForm, inspectForm } from '@starside/contract/generation.ts'
import { promptLengthMax, uploadBytesMax } from '@starside/contract/limits.ts'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { AppError } from '../errors/app-error.ts'

const generateFields = generateForm.omit({ userPhoto: true, celebrityPhoto: true })
const inspectFields = inspectForm.omit({ photo: true })

export interface GenerateForm {
  userPhoto: Buffer
  /** Undefined when a preset was named. */
  celebrityPhoto: Buffer | undefined
  fields: z.infer<typeof generateFields>
}

/** The multipart form of `generate`. Throws `photos_required`, `photo_too_large`, `prompt_too_long`… */
export async function receiveGenerateForm(request: FastifyRequest): Promise<GenerateForm> {
  const { files, fields } = await receiveForm(request, ['userPhoto', 'celebrityPhoto'])
  const checked = checkFields(generateFields, fields)
  const { userPhoto, celebrityPhoto } = files
  const hasCelebrity = celebrityPhoto !== undefined || checked.presetId !== undefined
  if (userPhoto === undefined || !hasCelebrity) throw new AppError('photos_required')
  const prompt = cleanPrompt(checked.prompt)
  return { userPhoto, celebrityPhoto, fields: { ...checked, prompt } }
}

/** The multipart form of `inspect`: one photo. */
export async function receiveInspectForm(request: FastifyRequest) {
  const { files, fields } = await receiveForm(request, ['photo'])
  if (files['photo'] === undefined) throw new AppError('photos_required')
  return { photo: files['photo'], ...checkFields(inspectFields, fields) }
}

async function receiveForm(request: FastifyRequest, fileNames: string[]) {
  if (!request.isMultipart()) throw new AppError('unsupported_media_type')
  const files: Record<string, Buffer> = {}
  const fields: Record<string, string> = {}
  const parts = request.parts({
    limits: {
      fileSize: uploadBytesMax,
      files: fileNames.length,
      fields: 12,
      fieldSize: 4_000,
      parts: 16,
    },
  })
  for await (const part of parts) {
    if (part.type === 'file') {
      if (!fileNames.includes(part.fieldname)) {
        throw new AppError('invalid_request', {
          sentence: `The file field '${part.fieldname.slice(0, 40)}' is unknown. Accepted are: ${fileNames.join(', ')}.`,
        })
      }
      files[part.fieldname] = await part.toBuffer()
    } else if (typeof part.value === 'string') {
      fields[part.fieldname] = part.value
    }
  }
  return { files, fields }
}

function checkFields<Schema extends z.ZodType>(schema: Schema, fields: Record<string, string>) {
  // A form sends an empty text for what was left out.
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new AppError('invalid_request', {
    sentence: `The field '${parsed.error.issues[0]?.path.join('.')}' is not as expected.`,
  })
}

/** Control characters become spaces; what is empty then counts as no prompt. */
function cleanPrompt(prompt: string | undefined): string | undefined {
  const clean = prompt?.replace(/\p{C}+/gu, ' ').trim()
  if (clean === undefined || clean === '') return undefined
  if (clean.length > promptLengthMax) throw new AppError('prompt_too_long')
  return clean
}
