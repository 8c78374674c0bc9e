import { uploadBytesMax } from '@starside/contract/limits.ts'
import { verificationRoutes } from '@starside/contract/routes/report-routes.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { guardsOf } from '../../accounts/auth/session.ts'
import type { TrustParts } from '../parts.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { createFairQueue } from '../../platform/http/fair-queue.ts'
import { callerNetwork } from '../../platform/http/network-address.ts'
import { serveRoutes } from '../../platform/http/serve-routes.ts'
import { createUploads } from '../../platform/http/uploads.ts'
import { verifyPicture } from './verify-picture.ts'

/** How long one picture may be looked at. */
const examinationMs = 60_000

/** `POST /api/verify`: anybody may ask whether a picture was made here. */
export async function provenanceRoutes(
  app: FastifyInstance,
  { context }: { context: TrustParts },
): Promise<void> {
  const uploads = createUploads({ bytesMax: 128 * 1024 * 1024, perNetworkMax: 6 })
  // One at a time on a node: nobody who makes a selfie waits for those who ask without an account.
  const examinations = createFairQueue({
    atOnceMax: 1,
    atOncePerCallerMax: 1,
    waitingMax: 16,
    waitingPerCallerMax: 4,
  })

  serveRoutes(app, guardsOf(context), verificationRoutes, {
    'POST /api/verify': async ({ request, reply }) =>
      uploads.receive({ request, reply }, receivePicture, (upload) => {
        const signal = AbortSignal.timeout(examinationMs)
        const verify = () => verifyPicture(context, upload, signal)
        return examinations.run(callerNetwork(request.ip), verify, signal)
      }),
  })
}

/** The one file of the multipart form, in the field `picture`. */
async function receivePicture(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart()) throw new AppError('unsupported_media_type')
  const part = await request.file({
    limits: { fileSize: uploadBytesMax, files: 1, fields: 4, fieldSize: 1_000, parts: 5 },
  })
  if (part === undefined || part.fieldname !== 'picture') {
    throw new AppError('invalid_request', {
      sentence: "The form needs one file in the field 'picture'.",
    })
  }
  const bytes = await part.toBuffer()
  // Told by no error where what is too much comes after all else was read.
  if (part.file.truncated) throw new AppError('photo_too_large')
  return bytes
}
