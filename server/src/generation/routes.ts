import { respondAsync } from '@starside/contract/api.ts'
import { errorTable } from '@starside/contract/errors.ts'
import type {
  GenerationAnswer,
  GenerateAnswer,
  InspectAnswer,
} from '@starside/contract/generation.ts'
import { pictureRoutes } from '@starside/contract/routes/picture-routes.ts'
import { aiHealthRoutes } from '@starside/contract/routes/service-routes.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { guardsOf } from '../auth/session.ts'
import type { SignedInUser } from '../auth/session.ts'
import type { Context } from '../context.ts'
import { isUuid } from '../db/uuid.ts'
import { AppError } from '../errors/app-error.ts'
import { decodeCursor, encodeCursor } from '../http/cursor.ts'
import { createFairQueue } from '../http/fair-queue.ts'
import type { FairQueue } from '../http/fair-queue.ts'
import { serveRoutes } from '../http/serve-routes.ts'
import type { RouteHandlers } from '../http/serve-routes.ts'
import { createSlots } from '../http/slots.ts'
import { deleteGeneration, restoreGeneration } from './delete-generation.ts'
import { hintSentences } from './hint-sentences.ts'
import { preparePhoto } from './prepare-photos.ts'
import { answerOwnGeneration, ownGenerationOf } from './own-generation.ts'
import { failureCode, presentGeneration } from './present-generation.ts'
import type { People } from './people.ts'
import type { PublicPicture } from './person-files.ts'
import { createPngReader } from './picture-png.ts'
import { countSelfies, listGenerations } from './queries.ts'
import { receiveGenerateForm, receiveInspectForm } from './receive-form.ts'
import { sendGenerationEvents } from './send-events.ts'
import { servePicture } from './serve-picture.ts'
import { giveBackOpenHold, startGeneration } from './start-generation.ts'
import { watchGeneration } from './watch-generation.ts'

/** How long `generate` waits for the picture before it answers that it is still being made. */
const waitForPictureMs = 110_000
/** How long the photos may be looked at before a generation is taken on. */
const preparationMs = 60_000
const pageSize = 24

/** `/api/ai?action=…`, `/api/generations…`, `/api/pictures…`, `/api/presets…`, `/api/people…`. */
export async function generationRoutes(
  app: FastifyInstance,
  { context, people }: { context: Context; people: People },
): Promise<void> {
  const { database, presets } = context
  // Streams and waits end when the program stops; their clients ask another node.
  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort())
  const streams = createSlots({ perNode: 1_000, perCaller: 8 })
  const admission: Admission = {
    // Two photos of 15 MB lie in memory for each; who waits isn't read from.
    uploads: createFairQueue({
      atOnceMax: 48,
      atOncePerCallerMax: 4,
      waitingMax: 1_000,
      waitingPerCallerMax: 8,
    }),
    preparations: createFairQueue({
      atOnceMax: 3,
      atOncePerCallerMax: 2,
      waitingMax: 100,
      waitingPerCallerMax: 8,
    }),
  }
  const readPng = createPngReader(context)

  const declared = { ...pictureRoutes, ...aiHealthRoutes }
  const handlers: RouteHandlers<typeof declared, SignedInUser> = {
    'GET /api/ai?action=health': async () => ({ status: 'ok' }),
    'GET /api/ai?action=presets': async () => ({ success: true, presets: presets.list() }),
    'GET /api/presets/:file': async ({ params: { file }, reply }) =>
      sendPublicPicture(reply, await presets.readPicture(file)),
    'GET /api/people': async ({ reply }) => {
      void reply.header('cache-control', 'public, max-age=3600')
      return { success: true, people: people.list() }
    },
    'GET /api/people/:file': async ({ params: { file }, reply }) =>
      sendPublicPicture(reply, await people.readPicture(file)),

    'POST /api/ai?action=inspect': async ({ request, user }) =>
      inspectPhoto({ context, admission }, request, user.userId),
    'POST /api/ai?action=generate': {
      // A refused request gives back what consume-credits had set aside for it.
      onRefusal: ({ user, query }) => giveBackOpenHold(context, user.userId, query.holdId),
      async handle({ request, reply, user, query: { holdId }, idempotencyKey }) {
        const { generationId } = await acceptGeneration(
          { context, admission },
          { request, user, holdId, idempotencyKey },
        )
        const own = { generationId, userId: user.userId }
        if (prefersAsync(request)) {
          void reply.status(202).header('preference-applied', respondAsync)
          return answerOwnGeneration(context, own)
        }
        return waitForPicture(context, reply, { ...own, stopping: stopping.signal })
      },
    },

    'GET /api/generations': async ({ user: { userId }, query }) => {
      const after = decodeCursor(query.cursor, isUuid)
      const rows = await listGenerations(database, { userId, after, limit: pageSize + 1 })
      const page = rows.slice(0, pageSize)
      const last = rows.length > pageSize ? page.at(-1) : undefined
      return {
        success: true,
        items: page.map((row) => presentGeneration(context, row)),
        nextCursor: last === undefined ? null : encodeCursor({ at: last.created_at, id: last.id }),
        total: await countSelfies(database, userId),
      }
    },
    'GET /api/generations/:generationId': async (call) =>
      answerOwnGeneration(context, ownGenerationOf(call)),
    'GET /api/generations/:generationId/events': async (call) =>
      sendGenerationEvents(context, call.request, call.reply, {
        ...ownGenerationOf(call),
        stopping: stopping.signal,
        streams,
      }),
    'DELETE /api/generations/:generationId': async (call) => {
      await deleteGeneration(context, ownGenerationOf(call))
      return { success: true }
    },
    'POST /api/generations/:generationId/restore': async (call) => {
      const own = ownGenerationOf(call)
      await restoreGeneration(context, own)
      return answerOwnGeneration(context, own)
    },
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

/** What bounds the photos that are taken in and looked at, so that nobody's wait for another's. */
interface Admission {
  uploads: FairQueue
  preparations: FairQueue
}

async function acceptGeneration(
  { context, admission }: { context: Context; admission: Admission },
  {
    request,
    ...asked
  }: {
    request: FastifyRequest
    user: SignedInUser
    holdId: string | undefined
    idempotencyKey: string | undefined
  },
) {
  const { userId } = asked.user
  return admission.uploads.run(userId, async () => {
    const form = await receiveGenerateForm(request)
    // Not tied to the connection: once the photos are here, the selfie is made, whoever waits.
    const signal = AbortSignal.timeout(preparationMs)
    return admission.preparations.run(
      userId,
      () => startGeneration(context, { ...asked, form, signal }),
      signal,
    )
  })
}

async function waitForPicture(
  context: Context,
  reply: FastifyReply,
  own: { generationId: string; userId: string; stopping: AbortSignal },
): Promise<GenerateAnswer | GenerationAnswer> {
  const signal = AbortSignal.any([own.stopping, AbortSignal.timeout(waitForPictureMs)])
  for await (const row of watchGeneration(context, { ...own, signal })) {
    if (row.state === 'failed') {
      throw new AppError(failureCode(row.error_code))
    }
    if (row.state === 'done') {
      const generation = presentGeneration(context, row)
      if (generation.imageUrl === null) throw new Error(`${row.id} is done without a picture`)
      return { success: true, imageUrl: generation.imageUrl, generation }
    }
  }
  void reply.status(202)
  return answerOwnGeneration(context, own)
}

async function inspectPhoto(
  { context, admission }: { context: Context; admission: Admission },
  request: FastifyRequest,
  userId: string,
): Promise<InspectAnswer> {
  try {
    const { faces, refusals, hints, widthPx, heightPx } = await admission.uploads.run(
      userId,
      async () => {
        const form = await receiveInspectForm(request)
        const signal = AbortSignal.timeout(preparationMs)
        return admission.preparations.run(
          userId,
          async () => {
            const upload = { bytes: form.photo, faceIndex: form.faceIndex }
            const about = { userId, role: 'user', signal } as const
            return (await preparePhoto(context, upload, about)).inspection
          },
          signal,
        )
      },
    )
    return {
      success: true,
      usable: refusals.length === 0,
      faces,
      refusals: refusals.map((code) => ({ code, sentence: errorTable[code].sentence })),
      hints: hints.map((code) => ({ code, sentence: hintSentences[code] })),
      widthPx,
      heightPx,
    }
  } catch (error) {
    if (error instanceof PhotoError) throw new AppError(error.code)
    throw error
  }
}

/** `Prefer: respond-async` (RFC 7240, section 4.1). */
function prefersAsync(request: FastifyRequest): boolean {
  const preferences = String(request.headers['prefer'] ?? '').split(',')
  return preferences.some((preference) => preference.trim().toLowerCase() === respondAsync)
}
