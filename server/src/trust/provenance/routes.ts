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
import type { VerifyAnswer } from '@starside/contract/provenance.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { findMarkedGeneration } from '../../selfies/selfie-marks.ts'
import { findSimilarPictures } from '../../selfies/similar-pictures.ts'
import { findBlockedPicture, toInt8 } from '../../moderation/blocked-pictures.ts'
import { wasSiteName } from '../../platform/site/site.ts'

/** How long one picture may be looked at. */
const examinationMs = 60_000

/** `POST /api/verify`: anybody may ask whether a picture was made here. */
export async function provenanceRoutes(
  app: FastifyInstance,
  { context }: { context: TrustParts },
): Promise<void> {
  const uploads = createUploads({ bytesMax: 128 * 1024 * 1024, perNetworkMax: 6 })
  // One at a time on a node: nobody who makes a selfie waits for those who ask without an account.
  const examinations = createFairQueue({ atOnceMax: 1, waitingMax: 16, waitingPerCallerMax: 4 })

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

type Parts = Pick<TrustParts, 'database' | 'engine' | 'site'>
type Recognition = VerifyAnswer['recognisedBy'][number]

/**
 * Tells whether a picture was made here: by mark or own signature, by its looks, or by metadata
 * alone. Keeps nothing of the file and doesn't say whose it is. Throws the refusals of an upload.
 */
async function verifyPicture(
  parts: Parts,
  upload: Uint8Array,
  signal: AbortSignal,
): Promise<VerifyAnswer> {
  const examining = parts.engine.examine(upload, { signal })
  const { provenance, fingerprint } = await examining.catch((error: unknown) => {
    throw error instanceof PhotoError ? new AppError(error.code, { cause: error }) : error
  })
  const { markId, xmp, c2pa } = provenance
  const marked =
    markId === undefined ? undefined : await findMarkedGeneration(parts.database, markId)
  const hashes = [toInt8(fingerprint.upright), toInt8(fingerprint.mirrored)]
  const [similar] = await findSimilarPictures(parts.database, hashes, 1)
  const claims = xmp.systemName !== undefined && (await wasSiteName(parts, xmp.systemName))
  const recognisedBy: Recognition[] = [
    ...(markId === undefined && c2pa?.isOurs !== true ? [] : (['mark'] as const)),
    ...(similar === undefined ? [] : (['fingerprint'] as const)),
    ...(claims ? (['metadata'] as const) : []),
  ]
  const madeAt = marked?.created_at ?? similar?.createdAt
  const isOurs = recognisedBy.includes('mark') || recognisedBy.includes('fingerprint')
  return {
    success: true,
    verdict: isOurs ? 'made_here' : claims ? 'claims_to_be' : 'unknown',
    recognisedBy,
    madeOn: madeAt?.toISOString().slice(0, 10) ?? null,
    removed: (await findBlockedPicture(parts.database, fingerprint)) !== undefined,
    metadata: {
      digitalSourceType: xmp.digitalSourceType ?? null,
      system: xmp.systemName ?? null,
      systemVersion: xmp.systemVersion ?? null,
      contentCredentials: c2pa !== undefined,
    },
  }
}
