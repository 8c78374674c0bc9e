import { respondAsync } from '@starside/contract/api.ts'
import { errorTable } from '@starside/contract/errors.ts'
import type {
  GenerateAcceptedAnswer,
  GenerateAnswer,
  GenerationAnswer,
  GenerationListAnswer,
  InspectAnswer,
} from '@starside/contract/generation.ts'
import type { PeopleAnswer, PresetsAnswer } from '@starside/contract/presets.ts'
import { generateQuery } from '@starside/contract/generation.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireUser } from '../auth/session.ts'
import type { SignedInUser } from '../auth/session.ts'
import type { Context } from '../context.ts'
import { isUuid } from '../db/uuid.ts'
import { dispatchAction } from '../http/actions.ts'
import { AppError } from '../http/app-error.ts'
import { decodeCursor, encodeCursor } from '../http/cursor.ts'
import { createFairQueue } from '../http/fair-queue.ts'
import type { FairQueue } from '../http/fair-queue.ts'
import { readIdempotencyKey } from '../http/idempotency-key.ts'
import { parseInput } from '../http/parse-input.ts'
import { createSlots } from '../http/slots.ts'
import { deleteGeneration, restoreGeneration } from './delete-generation.ts'
import { hintSentences } from './hint-sentences.ts'
import { judgePhoto } from './judge-pictures.ts'
import { answerOwnGeneration, requireOwnId } from './own-generation.ts'
import { failureCode, presentGeneration } from './present-generation.ts'
import type { People } from './people.ts'
import type { PublicPicture } from './person-files.ts'
import { createPngReader } from './picture-png.ts'
import type { Presets } from './presets.ts'
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
  { context, presets, people }: { context: Context; presets: Presets; people: People },
): Promise<void> {
  const { database } = context
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

  app.post(
    '/api/ai',
    dispatchAction({
      async generate(request, reply) {
        const user = await requireUser(context, request)
        const { generationId } = await acceptGeneration(
          { context, presets, admission },
          request,
          user,
        )
        if (prefersAsync(request)) {
          void reply.status(202).header('preference-applied', respondAsync)
          return answerOwnGeneration(context, { generationId, userId: user.userId })
        }
        return waitForPicture(context, reply, {
          generationId,
          userId: user.userId,
          stopping: stopping.signal,
        })
      },
      async inspect(request): Promise<InspectAnswer> {
        const { userId } = await requireUser(context, request)
        await context.limits.take('inspect', { address: request.ip, account: userId })
        return inspectPhoto({ context, admission }, request, userId)
      },
    }),
  )

  app.get(
    '/api/ai',
    dispatchAction({
      health: async () => ({ status: 'ok' }),
      presets: async (): Promise<PresetsAnswer> => ({ success: true, presets: presets.list() }),
    }),
  )

  app.get('/api/presets/:file', async (request, reply) => {
    const { file } = request.params as { file: string }
    return sendPublicPicture(reply, await presets.readPicture(file))
  })

  app.get('/api/people', async (_request, reply): Promise<PeopleAnswer> => {
    void reply.header('cache-control', 'public, max-age=3600')
    return { success: true, people: people.list() }
  })

  app.get('/api/people/:file', async (request, reply) => {
    const { file } = request.params as { file: string }
    return sendPublicPicture(reply, await people.readPicture(file))
  })

  app.get('/api/generations', async (request): Promise<GenerationListAnswer> => {
    const { userId } = await requireUser(context, request)
    const after = decodeCursor((request.query as { cursor?: unknown }).cursor, isUuid)
    const rows = await listGenerations(database, { userId, after, limit: pageSize + 1 })
    const page = rows.slice(0, pageSize)
    const last = rows.length > pageSize ? page.at(-1) : undefined
    return {
      success: true,
      items: page.map((row) => presentGeneration(context, row)),
      nextCursor: last === undefined ? null : encodeCursor({ at: last.created_at, id: last.id }),
      total: await countSelfies(database, userId),
    }
  })

  app.get('/api/generations/:generationId', async (request): Promise<GenerationAnswer> => {
    return answerOwnGeneration(context, await requireOwnId(context, request))
  })

  app.get('/api/generations/:generationId/events', async (request, reply) => {
    const own = await requireOwnId(context, request)
    await sendGenerationEvents(context, request, reply, {
      ...own,
      stopping: stopping.signal,
      streams,
    })
  })

  app.delete('/api/generations/:generationId', async (request) => {
    await deleteGeneration(context, await requireOwnId(context, request))
    return { success: true }
  })

  app.post('/api/generations/:generationId/restore', async (request): Promise<GenerationAnswer> => {
    const own = await requireOwnId(context, request)
    await restoreGeneration(context, own)
    return answerOwnGeneration(context, own)
  })

  app.get('/api/pictures/:generationId/:file', async (request, reply) => {
    const { generationId, file } = request.params as { generationId: string; file: string }
    const { expires, signature } = request.query as Record<string, string | undefined>
    return servePicture({ ...context, readPng }, reply, { generationId, file, expires, signature })
  })
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

/** A refused request gives back what consume-credits had set aside for it. */
async function acceptGeneration(
  { context, presets, admission }: { context: Context; presets: Presets; admission: Admission },
  request: FastifyRequest,
  user: SignedInUser,
) {
  const { userId } = user
  // Named in the address, so that it is known whatever is wrong with the form.
  const { holdId } = parseInput(generateQuery, request.query)
  try {
    await context.limits.take('generate', { address: request.ip, account: userId })
    const idempotencyKey = readIdempotencyKey(request)
    return await admission.uploads.run(userId, async () => {
      const form = await receiveGenerateForm(request)
      // Not tied to the connection: once the photos are here, the selfie is made, whoever waits.
      const signal = AbortSignal.timeout(preparationMs)
      return admission.preparations.run(
        userId,
        () => startGeneration(context, presets, { user, form, idempotencyKey, holdId, signal }),
        signal,
      )
    })
  } catch (error) {
    await giveBackOpenHold(context, userId, holdId)
    throw error
  }
}

async function waitForPicture(
  context: Context,
  reply: FastifyReply,
  own: { generationId: string; userId: string; stopping: AbortSignal },
): Promise<GenerateAnswer | GenerateAcceptedAnswer> {
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
            const photo = await context.engine.normalise(form.photo, { signal })
            await judgePhoto(context, photo, { userId, role: 'user', signal })
            return context.engine.inspect(photo, { signal, faceIndex: form.faceIndex })
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
