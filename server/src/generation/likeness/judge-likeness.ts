import type { CroppedFace } from '@starside/engine/compositor/faces/crop-face.ts'
import type { Selfie } from '@starside/engine/engine-calls.ts'
import type { Context } from '../../context.ts'
import type { AttemptRow } from '../providers/attempt-queries.ts'
import { providerName } from '../providers/image-models.ts'
import { userFacesOf } from '../queries.ts'
import type { GenerationRow } from '../queries.ts'
import { readInput } from '../read-input.ts'
import { likenessMinDefault } from '../vendors/models/model-card.ts'
import { LikenessError } from './likeness-error.ts'
import { matchPeople } from './match-people.ts'

type Parts = Pick<Context, 'database' | 'engine' | 'faceComparison' | 'images' | 'log' | 'store'>

/** Faces of a picture that are compared at most: the largest ones. */
const facesMax = 6

/**
 * Compares the people of a hosted picture with their photos, and keeps how alike the least alike one
 * is. A broken network costs nobody a picture: then, and where there is none, every picture passes.
 * Throws `LikenessError` for a stranger's face.
 */
export async function judgeLikeness(
  parts: Parts,
  selfie: Selfie,
  { row, attempt, signal }: { row: GenerationRow; attempt: AttemptRow; signal: AbortSignal },
): Promise<void> {
  const likeness = await measure(parts, selfie, row, signal).catch((error: unknown) => {
    signal.throwIfAborted()
    parts.log.error({ err: error, attemptId: attempt.id }, 'likeness could not be compared')
    return undefined
  })
  if (likeness === undefined) return
  await parts.database
    .updateTable('generation_attempts')
    .set({ likeness })
    .where('id', '=', attempt.id)
    .execute()
  const model = parts.images.find(providerName(attempt))
  const likenessMin = model?.likenessMin ?? likenessMinDefault
  if (likeness < likenessMin) throw new LikenessError(likeness, likenessMin)
}

/** How alike the least alike person is, 0…1; undefined where it can't be told. */
async function measure(
  { engine, faceComparison, store }: Parts,
  selfie: Selfie,
  row: GenerationRow,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (faceComparison === undefined) return undefined
  const cropsOf = async (key: string | null, faceIndexes: readonly number[]) => {
    const found = await engine.cropFaces(await readInput({ store }, key), { signal })
    return faceIndexes.map((index) => found[index]?.crop)
  }
  const people = [
    ...(await cropsOf(row.user_photo_key, userFacesOf(row) ?? [0])),
    ...(await cropsOf(row.star_photo_key, [row.star_face_index ?? 0])),
    ...(row.star_names === null
      ? []
      : await cropsOf(row.second_star_photo_key, [row.second_star_face_index ?? 0])),
  ]
  const { clean: bytes, widthPx, heightPx } = selfie
  const photo = { bytes, mediaType: 'image/jpeg', widthPx, heightPx, hasMatte: false } as const
  const faces = largest(await engine.cropFaces(photo, { signal }))
  const known = people.filter((crop) => crop !== undefined)
  if (known.length < people.length || faces.length < people.length) return undefined
  const distances = await faceComparison.compare([...known, ...faces], signal)
  return Math.min(...matchPeople(distances, people.length))
}

function largest(faces: readonly CroppedFace[]): Uint8Array[] {
  return faces
    .toSorted((one, other) => other.headSizePx - one.headSizePx)
    .slice(0, facesMax)
    .map(({ crop }) => crop)
}
