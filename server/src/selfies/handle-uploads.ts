import { respondAsync } from '@starside/contract/api.ts'
import { errorTable } from '@starside/contract/errors.ts'
import type {
  GenerationAnswer,
  GenerateAnswer,
  InspectAnswer,
} from '@starside/contract/generation.ts'
import type { pictureRoutes } from '@starside/contract/routes/picture-routes.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { photoDigest } from '@starside/engine/photo/photo-digest.ts'
import type { PhotoHint } from '@starside/engine/photo/photo-error.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedInUser } from '../accounts/auth/session.ts'
import type { SelfieParts } from './parts.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { createFairQueue } from '../platform/http/fair-queue.ts'
import { goneSignal } from '../platform/http/gone-signal.ts'
import { callerNetwork } from '../platform/http/network-address.ts'
import type { RouteHandlers } from '../platform/http/serve-routes.ts'
import { createUploads } from '../platform/http/uploads.ts'
import { giveBackHold, whilePreparing } from './generation-hold.ts'
import sentences from './hint-sentences.json' with { type: 'json' }
import { answerOwnGeneration } from './own-generation.ts'
import { preparePhoto, prepareSelfie } from './prepare-photos.ts'
import { failureCode, presentGeneration } from './present-generation.ts'
import { receiveGenerateForm, receiveInspectForm } from './receive-form.ts'
import { startGeneration } from './start-generation.ts'
import { watchGeneration } from './generation-progress.ts'

/** How long `generate` waits for the picture before it answers that it is still being made. */
const waitForPictureMs = 110_000
/** How long the photos may be inspected before a generation is accepted. */
const preparationMs = 60_000
/** What all forms may take of memory together, in bytes. */
const uploadedBytesMax = 512 * 1024 * 1024
/** How many forms of one person and of one network are taken in at the same time. */
const formsOfPersonMax = 8
const formsOfNetworkMax = 250

/** The calls that bring photos or name them: the photo check, what is prepared after it, and the generation itself. */
export function handleUploads(context: SelfieParts, { stopping }: { stopping: AbortSignal }) {
  const admit = openAdmission()
  const begun = new WeakSet<FastifyRequest>()
  return {
    'POST /api/ai?action=inspect': async ({ request, reply, user: { userId } }) =>
      inspectPhoto(context, admit, { request, reply, userId }),
    'POST /api/ai?action=check': async ({ request, reply }) =>
      inspectPhoto(context, admit, { request, reply, userId: strangers }),
    'POST /api/ai?action=prepare': async ({ body, user }) => ({
      success: true,
      ...(await prepareSelfie(context, user.userId, body)),
    }),
    'POST /api/ai?action=generate': {
      // A refused request gives back what consume-credits held for it; one that has begun has its own.
      async onRefusal({ request, user, query }) {
        if (!begun.has(request)) await giveBackHold(context, user.userId, query.holdId)
      },
      async handle({ request, reply, user, query: { holdId }, idempotencyKey }) {
        const { userId } = user
        const findUpload = async (digest: string) =>
          (await context.uploads.find({ account: userId }, digest))?.bytes
        const asked = { user, holdId, idempotencyKey }
        const { generationId } = await whilePreparing(context, { userId, holdId }, (isHoldOpen) =>
          admit(
            { request, reply, userId },
            (read) => receiveGenerateForm(read, findUpload),
            (form, signal) => startGeneration(context, { ...asked, isHoldOpen, form, signal }),
          ),
        )
        begun.add(request)
        const own = { generationId, userId }
        if (prefersAsync(request)) {
          void reply.status(202).header('preference-applied', respondAsync)
          return answerOwnGeneration(context, own)
        }
        return waitForPicture(context, reply, { ...own, stopping })
      },
    },
  } satisfies Partial<RouteHandlers<typeof pictureRoutes, SignedInUser>>
}

/** In place of an account: whoever has none shares one person's places with all others. */
const strangers = 'strangers'

/** What bounds the photos that are taken in and looked at, so that nobody's wait for another's. */
function openAdmission() {
  const forms = createFairQueue({
    atOnceMax: Infinity,
    atOncePerCallerMax: formsOfPersonMax,
    waitingPerCallerMax: 0,
  })
  const uploads = createUploads({ bytesMax: uploadedBytesMax, perNetworkMax: formsOfNetworkMax })
  const waitingMax = 4_000
  const ofPersons = createFairQueue({
    atOnceMax: waitingMax,
    atOncePerCallerMax: 2,
    waitingMax,
    waitingPerCallerMax: formsOfPersonMax,
  })
  const ofNetworks = createFairQueue({
    atOnceMax: 3,
    atOncePerCallerMax: 3,
    waitingMax,
    waitingPerCallerMax: formsOfNetworkMax,
  })
  /** Reads a form, then has its photos looked at when it is their turn. */
  return <Form, Result>(
    { request, reply, userId }: { request: FastifyRequest; reply: FastifyReply; userId: string },
    read: (request: FastifyRequest) => Promise<Form>,
    prepare: (form: Form, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> =>
    // A stranger's slow line holds up nobody else's form.
    forms.run(userId === strangers ? callerNetwork(request.ip) : userId, () =>
      uploads.receive({ request, reply }, read, (form) => {
        // Not tied to the connection: once the photos are here, the selfie is made, whoever waits.
        const signal = AbortSignal.timeout(preparationMs)
        const task = () => prepare(form, signal)
        const network = callerNetwork(request.ip)
        return ofPersons.run(userId, () => ofNetworks.run(network, task, signal), signal)
      }),
    )
}

async function waitForPicture(
  context: SelfieParts,
  reply: FastifyReply,
  own: { generationId: string; userId: string; stopping: AbortSignal },
): Promise<GenerateAnswer | GenerationAnswer> {
  const limit = AbortSignal.timeout(waitForPictureMs)
  const signal = AbortSignal.any([goneSignal(reply), own.stopping, limit])
  for await (const row of watchGeneration(context, { ...own, signal })) {
    if (row.state === 'failed') throw new AppError(failureCode(row.error_code))
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
  context: SelfieParts,
  admit: ReturnType<typeof openAdmission>,
  call: { request: FastifyRequest; reply: FastifyReply; userId: string },
): Promise<InspectAnswer> {
  const { userId } = call
  try {
    const checked = await admit(call, receiveInspectForm, async (upload, signal) => {
      const { bytes, isBackground } = upload
      // The moderation writes down whose photo it refuses, and judges this one once it has an account.
      if (userId === strangers) return await context.engine.admit(upload, { signal })
      const role = isBackground ? 'background' : 'user'
      const { inspection } = await preparePhoto(context, upload, { userId, role, signal })
      const digest = photoDigest(bytes)
      context.uploads.keep({ account: userId }, digest, Promise.resolve({ bytes }))
      return { inspection, photoDigest: digest }
    })
    const { faces, refusals, hints, widthPx, heightPx } = checked.inspection
    return {
      success: true,
      usable: refusals.length === 0,
      faces: faces.map((face) => {
        const [code] = face.refusals
        return { ...face, reason: code === undefined ? null : errorTable[code].sentence }
      }),
      refusals: refusals.map((code) => ({ code, sentence: errorTable[code].sentence })),
      hints: hints.map((code) => ({ code, sentence: hintSentences[code] })),
      widthPx,
      heightPx,
      photoDigest: 'photoDigest' in checked ? checked.photoDigest : undefined,
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

const hintSentences: Readonly<Record<PhotoHint, string>> = sentences
