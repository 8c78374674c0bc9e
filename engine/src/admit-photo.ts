import type { AccountMemory } from './account-memory.ts'
import { createAccountMemory } from './account-memory.ts'
import type { Compositor } from './compositor/compositor.ts'
import type {
  AdmittedPhoto,
  AdmittedUpload,
  CallOptions,
  EngineMethods,
  Upload,
} from './engine-calls.ts'
import type { NormalisedPhoto } from './image-provider.ts'
import { orAborted } from './or-aborted.ts'
import { fingerprintPicture } from './photo/fingerprint.ts'
import { joinJudgements } from './photo/inspect-photo.ts'
import type { PhotoInspection } from './photo/inspection.ts'
import { findInPart, planCloseUp } from './photo/close-up.ts'
import type { PhotoPart } from './photo/normalise.ts'
import { planContent } from './photo/plan-content.ts'
import { normaliseBackground } from './photo/normalise-background.ts'
import { photoDigest } from './photo/photo-digest.ts'

/** What an upload is admitted with. */
interface AdmissionTools {
  normalise: (
    bytes: Uint8Array,
    options: { signal: AbortSignal | undefined; part?: PhotoPart },
  ) => Promise<NormalisedPhoto>
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
  tools: AdmissionTools,
  upload: Upload,
  signal: CallOptions['signal'],
): Promise<AdmittedPhoto> {
  const { bytes, faceIndexes, isBackground } = upload
  const normalise = isBackground ? normaliseBackground : tools.normalise
  const photo = await normalise(bytes, { signal })
  const inspection = isBackground
    ? withoutFaces(photo)
    : await tools.inspect({ photo, faceIndexes }, { signal })
  const closer = await lookCloser(tools, upload, { photo, inspection }, signal)
  return { photo, inspection, ...closer, fingerprint: await fingerprintPicture(photo.bytes) }
}

/** The faces' surroundings and verdict, if the upload has more pixels of them; else undefined. */
async function lookCloser(
  { normalise, inspect }: AdmissionTools,
  { bytes, faceIndexes = [0] }: Upload,
  { photo: whole, inspection }: Pick<AdmittedPhoto, 'photo' | 'inspection'>,
  signal: CallOptions['signal'],
): Promise<Omit<AdmittedPhoto, 'fingerprint'> | undefined> {
  const meant = faceIndexes.flatMap((index) => inspection.faces[index] ?? [])
  if (meant.length === 0 || meant.length < faceIndexes.length || whole.hasMatte) return undefined
  const part = planCloseUp(whole, meant, await planContent(whole.bytes))
  if (!part) return undefined
  const photo = await normalise(bytes, { signal, part })
  const { faces } = await inspect({ photo }, { signal })
  const found = findInPart(meant, part, faces)
  if (!found) return undefined
  const verdicts = found.map((index) => faces[index]!)
  const ofGroup = {
    refusals: inspection.refusals.filter((refusal) => refusal === 'someone_between'),
    hints: inspection.hints.filter((hint) => hint === 'several_faces'),
  }
  const ofMeant = joinJudgements([ofGroup, ...verdicts])
  const judged = inspection.faces.map((face) => {
    const { refusals, hints } = verdicts[meant.indexOf(face)] ?? face
    return { ...face, refusals, hints }
  })
  return { photo, faceIndexes: found, inspection: { ...inspection, ...ofMeant, faces: judged } }
}

/** What there is to say of the photo of a place. */
function withoutFaces({ widthPx, heightPx }: NormalisedPhoto): PhotoInspection {
  return { widthPx, heightPx, faces: [], refusals: [], hints: [] }
}

async function readAhead(
  { compositor }: AdmissionTools,
  upload: Upload,
  { photo, inspection, faceIndexes = upload.faceIndexes ?? [0] }: AdmittedPhoto,
): Promise<void> {
  const { account, isBackground } = upload
  if (isBackground || account === undefined || inspection.refusals.length > 0) return
  const opened = await compositor()
  opened.readAhead({ photo, faceIndexes, keepFor: { account } })
}

/** The same for the same bytes that are asked the same about. */
function keyOf(
  digest: string,
  { faceIndexes = [0], isBackground = false }: Pick<Upload, 'faceIndexes' | 'isBackground'>,
): string {
  return JSON.stringify([digest, faceIndexes, isBackground])
}

/** The photo of a person that was admitted for an account, perhaps before anybody chose among its faces. */
async function findAdmitted(
  admissions: AccountMemory<AdmittedPhoto>,
  account: string,
  { digest, faceIndexes }: AdmittedUpload,
): Promise<Pick<AdmittedPhoto, 'photo' | 'faceIndexes'> | undefined> {
  const chosen = await admissions.find({ account }, keyOf(digest, { faceIndexes }))
  if (chosen) return { photo: chosen.photo, faceIndexes: chosen.faceIndexes ?? faceIndexes }
  const first = await admissions.find({ account }, keyOf(digest, {}))
  // What was cut about the main face may lack the others.
  return first && !first.faceIndexes ? { photo: first.photo, faceIndexes } : undefined
}

/** Has everybody cut out whose photos are known, unless they can't stand together. */
export function createPrepareCall({
  compositor,
  admissions,
}: Pick<AdmissionTools, 'compositor' | 'admissions'>): EngineMethods['prepare'] {
  return async ({ user, stars, ...request }) => {
    const { account } = request
    const found = await findAdmitted(admissions, account, user)
    const starPhotos = await Promise.all(
      stars.map(async (star) => {
        if ('photo' in star) return star
        const known = await findAdmitted(admissions, account, star)
        return known && { photo: known.photo, faceIndex: known.faceIndexes?.[0] }
      }),
    )
    const known = starPhotos.filter((star) => star !== undefined)
    if (!found || known.length < stars.length) return { isBegun: false }
    const { variations } = await compositor()
    const { photo: userPhoto, faceIndexes: userFaceIndexes } = found
    const likely = { ...request, userPhoto, userFaceIndexes, stars: known }
    const refusal = await variations.prepare(likely)
    return { isBegun: refusal === undefined, refusal }
  }
}
