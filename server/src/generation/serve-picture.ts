import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { isUuid } from '../db/uuid.ts'
import { AppError } from '../http/app-error.ts'
import { isSignatureValid, pictureFiles } from './picture-urls.ts'
import type { PictureFile } from './picture-urls.ts'
import { findPicture } from './queries.ts'
import type { OwnedGenerationRow } from './queries.ts'

/**
 * Answers a signed picture address. With the brand mark for a free user, without it once credits
 * were bought, whatever the address says. Throws `picture_expired` or `generation_unknown`.
 */
export async function servePicture(
  context: Context,
  reply: FastifyReply,
  request: {
    generationId: string
    file: string
    expires: string | undefined
    signature: string | undefined
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
  const bytes = await readPictureFile(context, row, file)
  void reply
    .header('cache-control', `private, max-age=${Math.floor(remainingMs / 1000)}`)
    .type(file === 'picture.png' ? 'image/png' : 'image/jpeg')
  if (file === 'picture.png') {
    const name = `celebrity-selfie-${row.created_at.getTime()}.png`
    void reply.header('content-disposition', `attachment; filename="${name}"`)
  }
  return reply.send(bytes)
}

/** The picture as this owner may have it. */
export async function readPictureFile(
  context: Pick<Context, 'store' | 'engine'>,
  row: OwnedGenerationRow,
  file: PictureFile,
): Promise<Buffer> {
  const isPremium = row.bought_total > 0
  const key =
    file === 'thumbnail.jpg'
      ? isPremium
        ? row.clean_thumbnail_key
        : row.watermarked_thumbnail_key
      : isPremium
        ? row.clean_key
        : row.watermarked_key
  const jpeg = key === null ? undefined : await context.store.get(key)
  if (jpeg === undefined) throw new AppError('generation_unknown')
  return Buffer.from(file === 'picture.png' ? await context.engine.toPng(jpeg) : jpeg)
}
