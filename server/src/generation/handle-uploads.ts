import { respondAsync } from '@starside/contract/api.ts'
import { errorTable } from '@starside/contract/errors.ts'
import type {
  GenerationAnswer,
  GenerateAnswer,
  InspectAnswer,
} from '@starside/contract/generation.ts'
import type { pictureRoutes } from '@starside/contract/routes/picture-routes.ts'
import type { InspectedFace } from '@starside/engine/photo/inspection.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { photoDigest } from '@starside/engine/photo/photo-digest.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedInUser } from '../auth/session.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import { createFairQueue } from '../http/fair-queue.ts'
import type { FairQueue } from '../http/fair-queue.ts'
import type { RouteHandlers } from '../http/serve-routes.ts'
import { giveBackOpenHold } from './generation-hold.ts'
import { hintSentences } from './hint-sentences.ts'
import { answerOwnGeneration } from './own-generation.ts'
import { preparePhoto } from './prepare-photos.ts'
import { prepareSelfie } from './prepare-selfie.ts'
import { failureCode, presentGeneration } from './present-generation.ts'
import { receiveGenerateForm, receiveInspectForm } from './receive-form.ts'
import { startGeneration } from './start-generation.ts'
import { watchGeneration } from './watch-generation.ts'

/** How long `generate` waits for the picture before it answers that it is still being made. */
const waitForPictureMs = 110_000
/** How long the photos may be inspected before a generation is accepted. */
const preparationMs = 60_000

type Parts = Parameters<typeof startGeneration>[0] &
  Pick<Context, 'config' | 'findOwnGeneration' | 'keys'>

/** The calls that bring photos or name them: the photo check, what is prepared after it, and the generation itself. */
export function handleUploads(context: Parts, { stopping }: { stopping: AbortSignal }) {
  const admission = openAdmission()
  return {
    'POST /api/ai?action=inspect': async ({ request, user }) =>
      inspectPhoto({ context, admission }, request, user.userId),
    'POST /api/ai?action=prepare': async ({ body, user }) => ({
      success: true,
      isBegun: await prepareSelfie(context, user.userId, body),
    }),
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
        return waitForPicture(context, reply, { ...own, stopping })
      },
    },
  } satisfies Partial<RouteHandlers<typeof pictureRoutes, SignedInUser>>
}

/** What bounds the photos that are taken in and looked at, so that nobody's wait for another's. */
interface Admission {
  uploads: FairQueue
  preparations: FairQueue
}

function openAdmission(): Admission {
  return {
    // Up to four photos of 15 MB lie in memory for each; who waits isn't read from.
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
}

async function acceptGeneration(
  { context, admission }: { context: Parts; admission: Admission },
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
  context: Parts,
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
  { context, admission }: { context: Parts; admission: Admission },
  request: FastifyRequest,
  userId: string,
): Promise<InspectAnswer> {
  try {
    const checked = await admission.uploads.run(userId, async () => {
      const form = await receiveInspectForm(request)
      const signal = AbortSignal.timeout(preparationMs)
      return admission.preparations.run(
        userId,
        async () => {
          const { photo: bytes, faceIndexes, isBackground } = form
          const upload = { bytes, faceIndexes, isBackground }
          const role = isBackground ? 'background' : 'user'
          const about = { userId, role, signal } as const
          const { inspection } = await preparePhoto(context, upload, about)
          return { inspection, photoDigest: isBackground ? undefined : photoDigest(bytes) }
        },
        signal,
      )
    })
    const { faces, refusals, hints, widthPx, heightPx } = checked.inspection
    return {
      success: true,
      usable: refusals.length === 0,
      faces: faces.map((face) => ({ ...face, reason: reasonOf(face) })),
      refusals: refusals.map((code) => ({ code, sentence: errorTable[code].sentence })),
      hints: hints.map((code) => ({ code, sentence: hintSentences[code] })),
      widthPx,
      heightPx,
      photoDigest: checked.photoDigest,
    }
  } catch (error) {
    if (error instanceof PhotoError) throw new AppError(error.code)
    throw error
  }
}

function reasonOf({ refusals: [code] }: InspectedFace): string | null {
  return code === undefined ? null : errorTable[code].sentence
}

/** `Prefer: respond-async` (RFC 7240, section 4.1). */
function prefersAsync(request: FastifyRequest): boolean {
  const preferences = String(request.headers['prefer'] ?? '').split(',')
  return preferences.some((preference) => preference.trim().toLowerCase() === respondAsync)
}
