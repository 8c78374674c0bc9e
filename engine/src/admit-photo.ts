import { createHash } from 'node:crypto'
import type { AccountMemory } from './account-memory.ts'
import { createAccountMemory } from './account-memory.ts'
import type { Compositor } from './compositor/compositor.ts'
import type { AdmittedPhoto, CallOptions, EngineMethods, Upload } from './engine-calls.ts'
import type { NormalisedPhoto } from './image-provider.ts'
import { orAborted } from './or-aborted.ts'
import { fingerprintPicture } from './photo/fingerprint.ts'
import type { PhotoInspection } from './photo/inspection.ts'
import { normaliseBackground } from './photo/normalise-background.ts'
import { normalisePhoto } from './photo/normalise.ts'

/** What an upload is admitted with. */
interface AdmissionTools {
  inspect: EngineMethods['inspect']
  compositor: () => Promise<Compositor>
  admissions: AccountMemory<AdmittedPhoto>
}

/** Admissions of a few minutes. */
export function createAdmissions(): AccountMemory<AdmittedPhoto> {
  return createAccountMemory({
    keptMs: 5 * 60_000,
    bytesMax: 16_000_000,
    bytesPerOwnerMax: 8_000_000,
  })
}

/** Normalises and inspects uploads; one that the same account just sent is known. */
export function createAdmission(tools: AdmissionTools): EngineMethods['admit'] {
  const { admissions } = tools
  return async (upload, { signal } = {}) => {
    const { account } = upload
    if (account === undefined) return await admit(tools, upload, signal)
    const key = keyOf(upload)
    const known = await orAborted(admissions.find({ account }, key), signal)
    if (known) return { ...known, wasKept: true }
    const admitted = await admit(tools, upload, signal)
    admissions.keep({ account }, key, Promise.resolve(admitted))
    if (upload.readAhead) await readAhead(tools, upload, admitted)
    return admitted
  }
}

async function admit(
  { inspect }: AdmissionTools,
  { bytes, faceIndexes, isBackground }: Upload,
  signal: CallOptions['signal'],
): Promise<AdmittedPhoto> {
  const normalise = isBackground ? normaliseBackground : normalisePhoto
  const photo = await normalise(bytes, { signal })
  const inspection = isBackground
    ? withoutFaces(photo)
    : await inspect({ photo, faceIndexes }, { signal })
  return { photo, inspection, fingerprint: await fingerprintPicture(photo.bytes) }
}

/** What there is to say of the photo of a place. */
function withoutFaces({ widthPx, heightPx }: NormalisedPhoto): PhotoInspection {
  return { widthPx, heightPx, faces: [], refusals: [], hints: [] }
}

async function readAhead(
  { compositor }: AdmissionTools,
  { account, faceIndexes = [0], isBackground }: Upload,
  { photo, inspection }: AdmittedPhoto,
): Promise<void> {
  if (isBackground || account === undefined || inspection.refusals.length > 0) return
  const opened = await compositor()
  opened.readAhead({ photo, faceIndexes, keepFor: { account } })
}

/** The same for the same bytes that are asked the same about. */
function keyOf({ bytes, faceIndexes, isBackground = false }: Upload): string {
  return createHash('sha256')
    .update(JSON.stringify([faceIndexes ?? null, isBackground]))
    .update(bytes)
    .digest('base64')
}
