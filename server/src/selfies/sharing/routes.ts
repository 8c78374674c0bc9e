import { defaultLanguage } from '@starside/contract/languages.ts'
import { sharingRoutes as declared } from '@starside/contract/routes/sharing-routes.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { guardsOf } from '../../accounts/auth/session.ts'
import type { SelfieParts } from '../parts.ts'
import { changeOwnGeneration } from '../own-generation.ts'
import { readPictureFile } from '../serve-picture.ts'
import { findSharedPicture, sharePicture, unsharePicture } from './share-picture.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { callerNetwork } from '../../platform/http/network-address.ts'
import { serveRoutes } from '../../platform/http/serve-routes.ts'
import { createCards } from './cards.ts'

/** Public links, and the picture behind one. */
export async function sharingRoutes(
  app: FastifyInstance,
  { context }: { context: SelfieParts },
): Promise<void> {
  const cards = createCards(context)
  serveRoutes(app, guardsOf(context), declared, {
    'POST /api/generations/:generationId/share': async (call) =>
      changeOwnGeneration(context, call, (own) => sharePicture(context, own)),
    'DELETE /api/generations/:generationId/share': async (call) =>
      changeOwnGeneration(context, call, (own) => unsharePicture(context, own)),
    'GET /api/shares/:shareId/picture.jpg': async ({ params: { shareId }, reply }) => {
      const picture = await context.pictureReads.run(callerNetwork(reply.request.ip), async () => {
        const row = await findSharedPicture(context.database, shareId)
        if (row === undefined) throw new AppError('generation_unknown')
        return readPictureFile(context, row, 'picture.jpg')
      })
      return sendShared(reply, picture)
    },
    'GET /api/shares/:shareId/card.jpg': async ({ params: { shareId }, query, reply }) => {
      const network = callerNetwork(reply.request.ip)
      const card = await cards.ofShare(shareId, query.lang ?? defaultLanguage, network)
      return sendShared(reply, card)
    },
    'GET /api/card.jpg': async ({ query, reply }) =>
      reply
        .type('image/jpeg')
        .header('cache-control', 'public, max-age=3600')
        .send(await cards.ofSite(query.lang ?? defaultLanguage)),
  })
}

function sendShared(reply: FastifyReply, jpeg: Buffer): FastifyReply {
  void reply.header('cache-control', 'public, max-age=300').header('x-robots-tag', 'noindex')
  return reply.type('image/jpeg').send(jpeg)
}
