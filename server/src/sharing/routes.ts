import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { GenerationAnswer } from '@starside/contract/generation.ts'
import { requireUser } from '../auth/session.ts'
import type { Context } from '../context.ts'
import { presentGeneration } from '../generation/present-generation.ts'
import { findOwnGeneration, findSharedPicture } from '../generation/queries.ts'
import { isUuid, readPictureFile } from '../generation/serve-picture.ts'
import { AppError } from '../http/app-error.ts'
import { isShareId } from './share-card.ts'
import { sharePicture, unsharePicture } from './share-picture.ts'

/** `POST|DELETE /api/generations/:id/share` and the picture behind a public link. */
export async function sharingRoutes(
  app: FastifyInstance,
  { context }: { context: Context },
): Promise<void> {
  app.post('/api/generations/:generationId/share', async (request): Promise<GenerationAnswer> => {
    const own = await ownId(context, request)
    await sharePicture(context, own)
    return answer(context, own)
  })

  app.delete('/api/generations/:generationId/share', async (request): Promise<GenerationAnswer> => {
    const own = await ownId(context, request)
    await unsharePicture(context, own)
    return answer(context, own)
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

async function ownId(context: Context, request: FastifyRequest) {
  const { userId } = await requireUser(context.database, request, context.clock())
  const { generationId } = request.params as { generationId: string }
  if (!isUuid(generationId)) throw new AppError('generation_unknown')
  return { generationId, userId }
}

async function answer(
  context: Context,
  own: { generationId: string; userId: string },
): Promise<GenerationAnswer> {
  const row = await findOwnGeneration(context.database, own)
  if (row === undefined) throw new AppError('generation_unknown')
  return { success: true, generation: presentGeneration(context, row) }
}
