import { apiBasePath } from '@starside/contract/api.ts'
import { pictureUrlLifetimeMs } from '@starside/contract/limits.ts'
import type { FastifyReply } from 'fastify'
import { isUuid } from '../platform/db/uuid.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { callerNetwork } from '../platform/http/network-address.ts'
import { isSameText } from '../platform/secrets/is-same-text.ts'
import { createKeyedDigest } from '../platform/secrets/keyed-digest.ts'
import type { SelfieParts } from './parts.ts'
import { pngKeyOf } from './picture-png.ts'
import type { ReadPng } from './picture-png.ts'
import { findPicture } from './queries.ts'
import type { OwnedGenerationRow } from './queries.ts'
import { findVariation } from './variations/variation-queries.ts'
import type { VariationRow } from './variations/variation-queries.ts'

type Parts = Pick<SelfieParts, 'database' | 'store' | 'keys' | 'clock' | 'pictureReads'> & {
  readPng: ReadPng
}

/** A picture's address, as a request has it. */
interface PictureRequest extends Pick<SignedPicture, 'generationId' | 'variationId'> {
  file: string
  expires?: string | undefined
  signature?: string | undefined
}

/** A picture by signed address, marked by tier. Throws `picture_expired`, `generation_unknown`. */
export async function servePicture(
  context: Parts,
  reply: FastifyReply,
  request: PictureRequest,
): Promise<FastifyReply> {
  const { file, remainingMs } = checkAddress(context, request)
  const { row, key, kept } = await context.pictureReads.run(callerNetwork(reply.request.ip), () =>
    readKept(context, request, file),
  )
  // A PNG is made in a line of its own.
  const isPng = file === 'picture.png'
  const bytes =
    kept ?? (isPng ? await context.readPng({ jpegKey: key, ownerId: row.user_id }) : undefined)
  if (bytes === undefined) throw new AppError('generation_unknown')
  // A guest's pictures stay in no browser: the next guest of a kiosk may look for them.
  const isGuests = row.guest_of !== null
  const caching = isGuests ? 'no-store' : `private, max-age=${Math.floor(remainingMs / 1000)}`
  void reply.header('cache-control', caching).type(isPng ? 'image/png' : 'image/jpeg')
  if (isPng) {
    const name = `celebrity-selfie-${row.created_at.getTime()}.png`
    void reply.header('content-disposition', `attachment; filename="${name}"`)
  }
  return reply.send(Buffer.from(bytes))
}

/** A file as the store has it; `kept` is undefined where it has none. Throws `generation_unknown`. */
async function readKept(context: Parts, request: PictureRequest, file: PictureFile) {
  const row = await findPicture(context.database, request.generationId)
  if (row === undefined) throw new AppError('generation_unknown')
  const { generationId, variationId } = request
  const keys =
    variationId === undefined
      ? row
      : await findVariation(context.database, { generationId, variationId })
  if (keys === undefined) throw new AppError('generation_unknown')
  const key = keyOf(keys, row, file)
  const kept = await context.store.get(file === 'picture.png' ? pngKeyOf(key) : key)
  return { row, key, kept }
}

function checkAddress(
  { keys, clock }: Parts,
  { generationId, variationId, file: name, expires, signature = '' }: PictureRequest,
): { file: PictureFile; remainingMs: number } {
  const file = pictureFiles.find((each) => each === name)
  const expiresAt = Number(expires)
  const isSigned =
    file !== undefined &&
    isUuid(generationId) &&
    (variationId === undefined || isUuid(variationId)) &&
    Number.isSafeInteger(expiresAt) &&
    isSignatureValid(keys.pictureUrls, { generationId, variationId, file, expiresAt }, signature)
  if (!isSigned) throw new AppError('generation_unknown')
  const remainingMs = expiresAt - clock().getTime()
  if (remainingMs <= 0) throw new AppError('picture_expired')
  return { file, remainingMs }
}

/** Where the files of a generation or of one of its variations lie. */
type PictureKeyRow = Pick<
  VariationRow,
  'clean_key' | 'watermarked_key' | 'clean_thumbnail_key' | 'watermarked_thumbnail_key'
> &
  Partial<Pick<VariationRow, 'clean_preview_key' | 'watermarked_preview_key'>>

/** The picture as this owner may have it, JPEG. Throws `generation_unknown` once it is gone. */
export async function readPictureFile(
  context: Pick<SelfieParts, 'store'>,
  row: PictureKeyRow & Pick<OwnedGenerationRow, 'is_premium'>,
  file: Exclude<PictureFile, 'picture.png'>,
): Promise<Buffer> {
  const jpeg = await context.store.get(keyOf(row, row, file))
  if (jpeg === undefined) throw new AppError('generation_unknown')
  return Buffer.from(jpeg)
}

/** The key of a file for its owner: clean once credits were bought. */
function keyOf(
  keys: PictureKeyRow,
  { is_premium: isPremium }: Pick<OwnedGenerationRow, 'is_premium'>,
  file: PictureFile,
) {
  const part = file === 'thumbnail.jpg' ? '_thumbnail' : file === 'preview.jpg' ? '_preview' : ''
  const key = keys[`${isPremium ? 'clean' : 'watermarked'}${part}_key`]
  if (key === null || key === undefined) throw new AppError('generation_unknown')
  return key
}

/** Files of a picture (a preview: of variations only); the tier decides on the brand mark. */
export const pictureFiles = ['picture.jpg', 'picture.png', 'thumbnail.jpg', 'preview.jpg'] as const
export type PictureFile = (typeof pictureFiles)[number]

export interface SignedPicture {
  generationId: string
  /** Of one of its variations; undefined: of the one that the generation is shown as. */
  variationId?: string | undefined
  file: PictureFile
  /** Unix time in milliseconds. */
  expiresAt: number
}

/**
 * An address that opens one picture for about an hour without a token, which an <img> can't send. Its expiry in
 * steps of five minutes lets browsers use their cache; a buyer gets a new one, as what is cached has the brand mark.
 */
export function signPictureUrl(
  key: Buffer,
  signed: Omit<SignedPicture, 'expiresAt'> & { now: Date; isPremium: boolean },
): string {
  const { now, isPremium, ...picture } = signed
  const roundMs = 5 * 60_000
  const roundedMs = Math.ceil((now.getTime() + pictureUrlLifetimeMs) / roundMs) * roundMs
  const expiresAt = roundedMs + (isPremium ? 1_000 : 0)
  const { generationId, variationId, file } = picture
  const signature = sign(key, { ...picture, expiresAt })
  const folder = variationId === undefined ? '' : `variations/${variationId}/`
  return `${apiBasePath}/pictures/${generationId}/${folder}${file}?expires=${expiresAt}&signature=${signature}`
}

/** True when the signature is ours, in constant time. Whether it has expired is asked apart. */
export function isSignatureValid(key: Buffer, picture: SignedPicture, signature: string): boolean {
  return isSameText(sign(key, picture), signature)
}

function sign(key: Buffer, { generationId, variationId, file, expiresAt }: SignedPicture): string {
  const path = variationId === undefined ? generationId : `${generationId}/${variationId}`
  return createKeyedDigest(key)(`picture\n${path}\n${file}\n${expiresAt}`).toString('base64url')
}
