import { pictureRoutes } from '@starside/contract/routes/picture-routes.ts'
import { variationRoutes } from '@starside/contract/routes/variation-routes.ts'
import { aiHealthRoutes } from '@starside/contract/routes/service-routes.ts'
import { engineWithin } from '@starside/engine/call-settings.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { guardsOf } from '../accounts/auth/session.ts'
import type { SignedInUser } from '../accounts/auth/session.ts'
import { isUuid } from '../platform/db/uuid.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { decodeCursor, pageOf } from '../platform/http/cursor.ts'
import { goneSignal } from '../platform/http/gone-signal.ts'
import { serveRoutes } from '../platform/http/serve-routes.ts'
import type { RouteHandlers } from '../platform/http/serve-routes.ts'
import type { People, PublicPicture } from '../stars/person-files.ts'
import { searchPresets } from '../stars/search-presets.ts'
import { forgetPhotos } from '../accounts/forget-photos.ts'
import { createFairQueue } from '../platform/http/fair-queue.ts'
import type { SelfieParts } from './parts.ts'
import { deleteGeneration, restoreGeneration } from './delete-generation.ts'
import { handleUploads } from './handle-uploads.ts'
import { answerOwnGeneration, changeOwnGeneration, ownGenerationOf } from './own-generation.ts'
import { presentGeneration } from './present-generation.ts'
import { createPngReader } from './picture-png.ts'
import type { ReadPng } from './picture-png.ts'
import { listGenerations, summariseSelfies } from './queries.ts'
import { sendGenerationEvents } from './generation-progress.ts'
import { servePicture } from './serve-picture.ts'
import { addVariation, makeMore, previewVariation } from './variations/add-variation.ts'
import { chooseVariation } from './variations/choose-variation.ts'
import { deleteOwnLayers } from './variations/layers.ts'
import { deleteVariation, restoreVariation } from './variations/delete-variation.ts'

const pageSize = 24

/** `/api/ai?action=…`, `/api/generations…`, `/api/pictures…`, `/api/presets…`, `/api/people…`. */
export async function generationRoutes(
  app: FastifyInstance,
  { context, people }: { context: SelfieParts; people: People },
): Promise<void> {
  const { database, presets } = context
  // Streams and waits end when the program stops; their clients ask another node.
  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort())
  const noneWait = { waitingMax: 0, waitingPerCallerMax: 0 }
  const streams = createFairQueue({ atOnceMax: 1_000, atOncePerCallerMax: 8, ...noneWait })
  const readPng = createPngReader(context)

  const declared = { ...pictureRoutes, ...variationRoutes, ...aiHealthRoutes }
  const handlers: RouteHandlers<typeof declared, SignedInUser> = {
    'GET /api/ai?action=health': async () => ({ status: 'ok' }),
    'GET /api/ai?action=presets': async ({ query: { q, category, cursor } }) => ({
      success: true,
      ...searchPresets(presets.list(), { q, category, after: cursor }),
    }),
    'GET /api/presets/:file': async ({ params: { file }, reply }) =>
      sendPublicPicture(reply, await presets.readPicture(file)),
    'GET /api/people': async ({ reply }) => {
      void reply.header('cache-control', 'public, max-age=3600')
      return { success: true, people: people.list() }
    },
    'GET /api/people/:file': async ({ params: { file }, reply }) =>
      sendPublicPicture(reply, await people.readPicture(file)),

    ...handleUploads(context, { stopping: stopping.signal }),
    ...handleVariations(context, { readPng }),

    'GET /api/generations': async ({ user: { userId }, query }) => {
      const after = decodeCursor(query.cursor, isUuid)
      const rows = await listGenerations(database, { ...query, userId, after, limit: pageSize + 1 })
      const { page, nextCursor } = pageOf(rows, pageSize, (row) => row.created_at)
      return {
        success: true,
        items: page.map((row) => presentGeneration(context, row)),
        nextCursor,
        ...(await summariseSelfies(database, userId, query.star)),
      }
    },
    'GET /api/generations/:generationId': async (call) =>
      answerOwnGeneration(context, ownGenerationOf(call)),
    'GET /api/generations/:generationId/events': async (call) =>
      streams.run(call.user.userId, () =>
        sendGenerationEvents(context, call.request, call.reply, {
          ...ownGenerationOf(call),
          stopping: stopping.signal,
        }),
      ),
    'DELETE /api/generations/:generationId': async (call) => {
      await deleteGeneration(database, ownGenerationOf(call), context.clock())
      return { success: true }
    },
    'POST /api/generations/:generationId/restore': async (call) =>
      changeOwnGeneration(context, call, (own) => restoreGeneration(database, own)),
    'GET /api/pictures/:generationId/:file': async ({ params, query, reply }) =>
      servePicture({ ...context, readPng }, reply, { ...params, ...query }),
  }
  serveRoutes(app, guardsOf(context), declared, handlers)
}

/** A picture that is everybody's and changes with the program only. */
function sendPublicPicture(reply: FastifyReply, picture: PublicPicture | undefined): FastifyReply {
  if (picture === undefined) throw new AppError('not_found')
  return reply
    .type(picture.mediaType)
    .header('cache-control', 'public, max-age=86400')
    .send(picture.bytes)
}

/** How long a call may wait for its place and for the engine. */
const waitMs = 60_000

/** The calls on a picture's variations and layers. */
export function handleVariations(context: SelfieParts, { readPng }: { readPng: ReadPng }) {
  const work = createFairQueue({ atOnceMax: 2, waitingMax: 200, waitingPerCallerMax: 8 })
  // What is kept is made for who has left too; a preview, for who still waits for it.
  const run = <Result>(
    userId: string,
    task: (parts: SelfieParts) => Promise<Result>,
    ...ends: AbortSignal[]
  ) => {
    const signal = AbortSignal.any([AbortSignal.timeout(waitMs), ...ends])
    const parts = { ...context, engine: engineWithin(context.engine, signal) }
    return work.run(userId, () => task(parts), signal)
  }
  return {
    'POST /api/generations/:generationId/variations': async (call) =>
      changeOwnGeneration(context, call, async (own) => {
        const { guest } = call.user
        if (guest) await context.guestRules.admitScene(guest, call.body.arrangement.scene)
        await run(own.userId, (parts) => addVariation(parts, own, call.body.arrangement))
      }),
    'POST /api/generations/:generationId/variations/more': async (call) =>
      changeOwnGeneration(context, call, (own) => run(own.userId, (parts) => makeMore(parts, own))),
    'POST /api/generations/:generationId/preview': async (call) => {
      const { guest } = call.user
      if (guest) await context.guestRules.admitScene(guest, call.body.arrangement.scene)
      const own = ownGenerationOf(call)
      const draw = (parts: SelfieParts) => previewVariation(parts, own, call.body)
      return run(own.userId, draw, goneSignal(call.reply))
    },
    'PUT /api/generations/:generationId/chosen': async (call) =>
      changeOwnGeneration(context, call, (own) =>
        run(own.userId, (parts) => chooseVariation(parts, own, call.body.variationId)),
      ),
    'DELETE /api/generations/:generationId/variations/:variationId': async (call) =>
      changeOwnGeneration(context, call, (own) =>
        deleteVariation(context, own, call.params.variationId),
      ),
    'POST /api/generations/:generationId/variations/:variationId/restore': async (call) =>
      changeOwnGeneration(context, call, (own) =>
        restoreVariation(context, own, call.params.variationId),
      ),
    'DELETE /api/generations/:generationId/layers': async (call) => {
      const own = ownGenerationOf(call)
      await deleteOwnLayers(context, own)
      forgetPhotos(context, own.userId)
      return { success: true }
    },
    'GET /api/pictures/:generationId/variations/:variationId/:file': async (call) =>
      servePicture({ ...context, readPng }, call.reply, { ...call.params, ...call.query }),
  } satisfies RouteHandlers<typeof variationRoutes, SignedInUser>
}
