import type { VerifyAnswer } from '@starside/contract/provenance.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import type { TrustParts } from '../parts.ts'
import { findMarkedGeneration } from '../../selfies/mark-id.ts'
import { findSimilarPictures } from '../../selfies/similar-pictures.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { findBlockedPicture, toInt8 } from '../../moderation/blocked-pictures.ts'
import { wasSiteName } from '../../platform/site/site-names.ts'

type Parts = Pick<TrustParts, 'database' | 'engine' | 'site'>
type Recognition = VerifyAnswer['recognisedBy'][number]

/**
 * Tells whether a picture was made here: by the invisible mark or our own signature, by its looks,
 * or only by what its metadata claim. Says neither whose it is nor where it lies, and keeps nothing
 * of the file. Throws the refusals of an upload.
 */
export async function verifyPicture(
  parts: Parts,
  upload: Uint8Array,
  signal: AbortSignal,
): Promise<VerifyAnswer> {
  const { provenance, fingerprint } = await examine(parts, upload, signal)
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

async function examine({ engine }: Parts, upload: Uint8Array, signal: AbortSignal) {
  try {
    return await engine.examine(upload, { signal })
  } catch (error) {
    if (error instanceof PhotoError) throw new AppError(error.code, { cause: error })
    throw error
  }
}
