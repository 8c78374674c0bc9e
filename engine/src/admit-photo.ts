import type { AccountMemory } from './account-memory.ts'
import { createAccountMemory } from './account-memory.ts'
import type { Compositor } from './compositor/compositor.ts'
import type { AdmittedPhoto, CallOptions, EngineMethods, Upload } from './engine-calls.ts'
import type { NormalisedPhoto } from './image-provider.ts'
import { orAborted } from './or-aborted.ts'
import { fingerprintPicture } from './photo/fingerprint.ts'
import type { PhotoInspection } from './photo/inspection.ts'
import { normaliseBackground } from './photo/normalise-background.ts'
import { photoDigest } from './photo/photo-digest.ts'

/** What an upload is admitted with. */
interface AdmissionTools {
  normalise: EngineMethods['normalise']
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
    const key = keyOf(photoDigest(upload.bytes), upload)
    const known = await orAborted(admissions.find({ account }, key), signal)
    if (known) return { ...known, wasKept: true }
    const admitted = await admit(tools, upload, signal)
    admissions.keep({ account }, key, Promise.resolve(admitted))
    if (upload.readAhead) await readAhead(tools, upload, admitted)
    return admitted
  }
}

async function admit(
  { normalise: normaliseUpload, inspect }: AdmissionTools,
  { bytes, faceIndexes, isBackground }: Upload,
  signal: CallOptions['signal'],
): Promise<AdmittedPhoto> {
  const normalise = isBackground ? normaliseBackground : normaliseUpload
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
function keyOf(
  digest: string,
  { faceIndexes, isBackground = false }: Pick<Upload, 'faceIndexes' | 'isBackground'>,
): string {
  return JSON.stringify([digest, faceIndexes ?? null, isBackground])
}

/** The photo of a person that was admitted for an account, before anybody chose among its faces. */
async function findAdmitted(
  admissions: AccountMemory<AdmittedPhoto>,
  account: string,
  digest: string,
): Promise<NormalisedPhoto | undefined> {
  return (await admissions.find({ account }, keyOf(digest, {})))?.photo
}

/** Has everybody cut out whose photos are known. */
export function createPrepareCall({
  compositor,
  admissions,
}: Pick<AdmissionTools, 'compositor' | 'admissions'>): EngineMethods['prepare'] {
  return async ({ user, stars, ...request }) => {
    const { account } = request
    const userPhoto = await findAdmitted(admissions, account, user.digest)
    const starPhotos = await Promise.all(
      stars.map(async (star) => {
        if ('photo' in star) return star
        const photo = await findAdmitted(admissions, account, star.digest)
        return photo && { photo, faceIndex: star.faceIndexes?.[0] }
      }),
    )
    const known = starPhotos.filter((star) => star !== undefined)
    if (!userPhoto || known.length < stars.length) return { isBegun: false }
    const { variations } = await compositor()
    const userFaceIndexes = user.faceIndexes
    variations.prepare({ ...request, userPhoto, userFaceIndexes, stars: known })
    return { isBegun: true }
  }
}
