import { generateForm, inspectForm, photoDigest } from '@starside/contract/generation.ts'
import { headsMax, promptLengthMax, starsMax, uploadBytesMax } from '@starside/contract/limits.ts'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { AppError } from '../platform/errors/app-error.ts'
import { parseInput } from '../platform/http/parse-input.ts'

const generateFields = generateForm.omit({
  userPhoto: true,
  celebrityPhoto: true,
  background: true,
})
const starFields = generateForm.pick({ presetId: true, starFaceIndex: true })
const inspectFields = inspectForm.omit({ photo: true })

/** What a form says of one star: a preset, else a photo. */
export type StarForm = z.infer<typeof starFields> & { photo: Buffer | undefined }

export interface GenerateForm {
  userPhoto: Buffer
  /** Faces of the user's photo; undefined takes the main one. */
  userFaceIndexes: number[] | undefined
  /** Undefined when a preset was named. */
  celebrityPhoto: Buffer | undefined
  /** The place that the picture is set in; undefined for a scene. */
  background: Buffer | undefined
  /** Of the first star, and of the whole picture. */
  fields: z.infer<typeof generateFields>
  secondStar: StarForm | undefined
}

const photoFieldNames = ['userPhoto', 'celebrityPhoto', 'background'] as const

/** What is sent once for each star. */
const starFieldNames = ['celebrityPhoto', 'presetId', 'starFaceIndex'] as const

/**
 * The multipart form of `generate`; `findUpload` gives a photo that is named by its digest. Throws
 * `photos_required`, `photo_too_large`, `upload_expired`, `people_too_many`,
 * `face_chosen_twice`, `star_chosen_twice`, `prompt_too_long`…
 */
export async function receiveGenerateForm(
  request: FastifyRequest,
  findUpload: (digest: string) => Promise<Buffer | undefined>,
): Promise<GenerateForm> {
  const { files, fields } = await receiveForm(request, {
    files: photoFieldNames,
    repeated: starFieldNames,
    findUpload,
  })
  const checked = checkFields(generateFields, firstOfEach(fields))
  const userPhoto = files['userPhoto']?.[0]
  const celebrityPhoto = files['celebrityPhoto']?.[0]
  const hasCelebrity = celebrityPhoto !== undefined || checked.presetId !== undefined
  if (userPhoto === undefined || !hasCelebrity) throw new AppError('photos_required')
  assertNoTextForPhoto(fields)
  const background = files['background']?.[0]
  if (background !== undefined && checked.scene !== undefined) {
    throw new AppError('scene_and_background')
  }
  const userFaceIndexes = readFaces(checked.userFaces, checked.userFaceIndex)
  const secondStar = readSecondStar(files['celebrityPhoto'] ?? [], fields)
  if (secondStar && isSameStar({ ...checked, photo: celebrityPhoto }, secondStar)) {
    throw new AppError('star_chosen_twice')
  }
  const starCount = secondStar === undefined ? 1 : starsMax
  if ((userFaceIndexes?.length ?? 1) + starCount > headsMax) throw new AppError('people_too_many')
  const prompt = cleanPrompt(checked.prompt)
  const form = { userPhoto, celebrityPhoto, background, userFaceIndexes, secondStar }
  return { ...form, fields: { ...checked, prompt } }
}

/** A photo that came as a text would be left out of a picture that is paid for. */
function assertNoTextForPhoto(fields: Record<string, string[]>): void {
  const name = photoFieldNames.find((field) => fields[field]?.some((text) => text !== ''))
  if (name === undefined) return
  throw invalid(`The field '${name}' is a text. Accepted is a file.`)
}

function readSecondStar(
  photos: readonly Buffer[],
  fields: Record<string, string[]>,
): StarForm | undefined {
  const presetId = fields['presetId']?.[1] ?? ''
  const starFaceIndex = fields['starFaceIndex']?.[1] ?? ''
  const photo = photos[1]?.length === 0 ? undefined : photos[1]
  if (presetId === '' && photo === undefined) {
    if (starFaceIndex === '') return undefined
    throw invalid('A face of a second star was named without the star.')
  }
  return { photo, ...checkFields(starFields, { presetId, starFaceIndex }) }
}

/** Whether two stars are one preset, or the same face of one photo. */
function isSameStar(one: StarForm, other: StarForm): boolean {
  if (one.presetId !== undefined) return one.presetId === other.presetId
  const isSamePhoto = one.photo !== undefined && other.photo?.equals(one.photo) === true
  return isSamePhoto && (one.starFaceIndex ?? 0) === (other.starFaceIndex ?? 0)
}

/** The faces meant, in the photo check's order; undefined: the main. Throws `face_chosen_twice`. */
function readFaces(list: string | undefined, single: number | undefined): number[] | undefined {
  if (list === undefined) return single === undefined ? undefined : [single]
  if (single !== undefined) {
    throw invalid('Faces are named in two fields. Accepted is one of them.')
  }
  const indexes = list.split(',').map(Number)
  if (new Set(indexes).size < indexes.length) throw new AppError('face_chosen_twice')
  return indexes.toSorted((one, other) => one - other)
}

/** The multipart form of `inspect`: one photo. */
export async function receiveInspectForm(request: FastifyRequest) {
  const { files, fields } = await receiveForm(request, { files: ['photo'], repeated: [] })
  const photo = files['photo']?.[0]
  if (photo === undefined) throw new AppError('photos_required')
  const { faces, faceIndex, isBackground } = checkFields(inspectFields, firstOfEach(fields))
  return {
    bytes: photo,
    faceIndexes: readFaces(faces, faceIndex),
    isBackground: isBackground === 'true',
  }
}

function firstOfEach(fields: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, [first = '']]) => [name, first]))
}

async function receiveForm(
  request: FastifyRequest,
  options: {
    files: readonly string[]
    repeated: readonly string[]
    findUpload?: (digest: string) => Promise<Buffer | undefined>
  },
) {
  const { files: fileNames, repeated, findUpload } = options
  if (!request.isMultipart()) throw new AppError('unsupported_media_type')
  const files: Record<string, Buffer[]> = {}
  const fields: Record<string, string[]> = {}
  /** Where a value goes: behind the earlier one of a name that is sent once for each star. */
  const placeIn = <Value>(received: Record<string, Value[]>, name: string): Value[] => {
    const earlier = repeated.includes(name) ? received[name] : undefined
    if (earlier?.length === starsMax) throw new AppError('people_too_many')
    return (received[name] = earlier ?? [])
  }
  const parts = request.parts({
    limits: {
      fileSize: uploadBytesMax,
      // Two more than are taken where stars may be sent twice, so that a third is refused as such.
      files: repeated.length > 0 ? fileNames.length + starsMax : fileNames.length,
      fields: 20,
      fieldSize: 4_000,
      parts: 24,
    },
  })
  for await (const part of parts) {
    if (part.type === 'file') {
      if (!fileNames.includes(part.fieldname)) {
        throw invalid(
          `The file field '${part.fieldname.slice(0, 40)}' is unknown. Accepted are: ${fileNames.join(', ')}.`,
        )
      }
      placeIn(files, part.fieldname).push(await part.toBuffer())
    } else if (
      findUpload &&
      fileNames.includes(part.fieldname) &&
      photoDigest.safeParse(part.value).success
    ) {
      const place = placeIn(files, part.fieldname)
      const found = await findUpload(String(part.value))
      if (found === undefined) throw new AppError('upload_expired')
      place.push(found)
    } else if (typeof part.value === 'string') {
      placeIn(fields, part.fieldname).push(part.value)
    }
  }
  return { files, fields }
}

function checkFields<Schema extends z.ZodType>(schema: Schema, fields: Record<string, string>) {
  // A form sends an empty text for what was left out.
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
  return parseInput(schema, given)
}

/** Removes what shows nothing and may hide words; line ends, tabs to spaces; empty is no prompt. */
function cleanPrompt(prompt: string | undefined): string | undefined {
  const clean = prompt
    ?.replaceAll(/[\t-\r]+/g, ' ')
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim()
  if (clean === undefined || clean === '') return undefined
  if (clean.length > promptLengthMax) throw new AppError('prompt_too_long')
  return clean
}

function invalid(sentence: string): AppError {
  return new AppError('invalid_request', { sentence })
}
