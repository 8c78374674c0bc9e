import type { FastifyInstance } from 'fastify'
import type { GenerationAnswer } from '@starside/contract/generation.ts'
import type { Context } from '../context.ts'
import { answerOwnGeneration, requireOwnId } from '../generation/own-generation.ts'
import { readPictureFile } from '../generation/serve-picture.ts'
import { findSharedPicture } from '../generation/shared-picture.ts'
import { AppError } from '../http/app-error.ts'
import { isShareId } from './share-card.ts'
import { sharePicture, unsharePicture } from './share-picture.ts'

/** `POST|DELETE /api/generations/:id/share` and the picture behind a public link. */
export async function sharingRoutes(
  app: FastifyInstance,
  { context }: { context: Context },
): Promise<void> {
  app.post('/api/generations/:generationId/share', async (request): Promise<GenerationAnswer> => {
    const own = await requireOwnId(context, request)
    await context.limits.take('share', { address: request.ip, account: own.userId })
    await sharePicture(context, own)
    return answerOwnGeneration(context, own)
  })

  app.delete('/api/generations/:generationId/share', async (request): Promise<GenerationAnswer> => {
    const own = await requireOwnId(context, request)
    await unsharePicture(context, own)
    return answerOwnGeneration(context, own)
  })

  app.get('/api/shares/:shareId/picture.jpg', async (request, reply) => {
    const { shareId } = request.params as { shareId: string }
    const row = isShareId(shareId) ? await findSharedPicture(context.database, shareId) : undefined
    if (row === undefined) throw new AppError('generation_unknown')
    return reply
      .type('image/jpeg')
      .header('cache-control', 'public, max-age=300')
      .header('x-robots-tag', 'noindex')
      .send(await readPictureFile(context, row, 'picture.jpg'))
  })
}
