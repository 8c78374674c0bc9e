import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { isUuid } from '../db/uuid.ts'
import { AppError } from '../errors/app-error.ts'
import { isSignatureValid, pictureFiles } from './picture-urls.ts'
import type { ReadPng } from './picture-png.ts'
import type { PictureFile } from './picture-urls.ts'
import { findPicture } from './queries.ts'
import type { OwnedGenerationRow } from './queries.ts'

/**
 * Answers a signed picture address. With the brand mark for a free user, without it once credits
 * were bought, whatever the address says. Throws `picture_expired` or `generation_unknown`.
 */
export async function servePicture(
  context: Pick<Context, 'database' | 'store' | 'keys' | 'clock'> & { readPng: ReadPng },
  reply: FastifyReply,
  request: {
    generationId: string
    file: string
    expires?: string | undefined
    signature?: string | undefined
  },
): Promise<FastifyReply> {
  const { generationId } = request
  const file = pictureFiles.find((name) => name === request.file)
  const expiresAt = Number(request.expires)
  const isSigned =
    file !== undefined &&
    isUuid(generationId) &&
    Number.isSafeInteger(expiresAt) &&
    isSignatureValid(
      context.keys.pictureUrls,
      { generationId, file, expiresAt },
      request.signature ?? '',
    )
  if (!isSigned) throw new AppError('generation_unknown')
  const remainingMs = expiresAt - context.clock().getTime()
  if (remainingMs <= 0) throw new AppError('picture_expired')
  const row = await findPicture(context.database, generationId)
  if (row === undefined) throw new AppError('generation_unknown')
  const bytes =
    file === 'picture.png'
      ? Buffer.from(await context.readPng({ jpegKey: pictureKey(row), ownerId: row.user_id }))
      : await readPictureFile(context, row, file)
  void reply
    .header('cache-control', `private, max-age=${Math.floor(remainingMs / 1000)}`)
    .type(file === 'picture.png' ? 'image/png' : 'image/jpeg')
  if (file === 'picture.png') {
    const name = `celebrity-selfie-${row.created_at.getTime()}.png`
    void reply.header('content-disposition', `attachment; filename="${name}"`)
  }
  return reply.send(bytes)
}

/** The picture as this owner may have it, JPEG. Throws `generation_unknown` once it is gone. */
export async function readPictureFile(
  { store }: Pick<Context, 'store'>,
  row: OwnedGenerationRow,
  file: Exclude<PictureFile, 'picture.png'>,
): Promise<Buffer> {
  const jpeg = await store.get(file === 'thumbnail.jpg' ? thumbnailKey(row) : pictureKey(row))
  if (jpeg === undefined) throw new AppError('generation_unknown')
  return Buffer.from(jpeg)
}

/** The picture's key for this owner: clean once credits were bought. */
function pictureKey(row: OwnedGenerationRow): string {
  return presentKey(row.bought_total > 0 ? row.clean_key : row.watermarked_key)
}

function thumbnailKey(row: OwnedGenerationRow): string {
  return presentKey(row.bought_total > 0 ? row.clean_thumbnail_key : row.watermarked_thumbnail_key)
}

function presentKey(key: string | null): string {
  if (key === null) throw new AppError('generation_unknown')
  return key
}
