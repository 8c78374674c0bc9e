import type { CroppedFace } from '@starside/engine/compositor/faces/crop-face.ts'
import type { SelfieParts } from '../parts.ts'
import type { AttemptRow } from '../providers/attempts.ts'
import { updateRows } from '../../platform/db/rows.ts'
import { starsOf, userFacesOf } from '../queries.ts'
import type { GenerationRow } from '../queries.ts'
import { readInput } from '../inputs.ts'
import { cardName, likenessMinDefault } from '../../vendors/models/model-description.ts'
import type { FaceDistances } from './face-comparison.ts'

const facesMax = 6

/** An attempt whose pictures are to be finished. */
export type ToFinish = { row: GenerationRow; attempt: AttemptRow; signal: AbortSignal }

/** Compares the faces of one picture with the photos of its generation. */
export type LikenessJudge = ReturnType<typeof openLikenessJudge>

/** Reads the photos' faces with the first picture, once for all pictures of the attempt. */
export function openLikenessJudge(parts: SelfieParts, { row, attempt, signal }: ToFinish) {
  const { faceComparison } = parts
  const model = parts.images.find(cardName(attempt))
  let known: ReturnType<typeof readPeople> | undefined
  const compare = async (faces: readonly CroppedFace[]) => {
    if (faceComparison === undefined) return undefined
    known ??= readPeople(parts, row, signal)
    const people = await known
    const largest = faces.toSorted((one, other) => other.headSizePx - one.headSizePx)
    const found = largest.slice(0, facesMax).map(({ crop }) => crop)
    if (people === undefined || found.length < people.length) return undefined
    const distances = await faceComparison.compare([...people, ...found], signal)
    return Math.min(...matchPeople(distances, people.length))
  }
  return {
    /** Below it somebody counts as a stranger. */
    likenessMin: model?.likenessMin ?? likenessMinDefault,
    /** The least alike person's likeness, 0…1; undefined where it can't be told, which passes. */
    measure: (faces: readonly CroppedFace[]) =>
      compare(faces).catch((error: unknown) => {
        signal.throwIfAborted()
        parts.log.error({ err: error, attemptId: attempt.id }, 'likeness could not be compared')
        return undefined
      }),
  }
}

/** Keeps how alike people are in the picture that an attempt is shown as, or was refused for. */
export async function keepLikeness(
  { database }: Pick<SelfieParts, 'database'>,
  attempt: AttemptRow,
  likeness: number | undefined,
): Promise<void> {
  if (likeness === undefined) return
  const match = { id: attempt.id }
  await updateRows(database, 'generation_attempts', { match, set: { likeness } })
}

/** A crop of everybody who is meant; undefined where somebody isn't found again. */
async function readPeople(
  { engine, store }: Pick<SelfieParts, 'engine' | 'store'>,
  row: GenerationRow,
  signal: AbortSignal,
): Promise<Uint8Array[] | undefined> {
  const cropsOf = async (key: string | null, faceIndexes: readonly number[]) => {
    const found = await engine.cropFaces(await readInput({ store }, key), { signal })
    return faceIndexes.map((index) => found[index]?.crop)
  }
  const people = await cropsOf(row.user_photo_key, userFacesOf(row) ?? [0])
  for (const { photoKey, faceIndex } of starsOf(row)) {
    people.push(...(await cropsOf(photoKey, [faceIndex ?? 0])))
  }
  const known = people.filter((crop) => crop !== undefined)
  return known.length < people.length ? undefined : known
}

/**
 * Which face of a picture is whose, as alike as can be over all; for each person 0…1, 1 for the same photo.
 * @param distances of all faces to each other, first those of the people's photos, then the picture's
 * @param peopleCount how many of them are of photos; the picture has at least as many
 */
export function matchPeople(distances: FaceDistances, peopleCount: number): number[] {
  const faces = distances.map((_, index) => index).slice(peopleCount)
  const far = (person: number, face: number): number => distances[person]![face]!
  const match = (person: number, left: readonly number[]): { total: number; each: number[] } => {
    if (person === peopleCount) return { total: 0, each: [] }
    const choices = left.map((face) => {
      const others = left.filter((other) => other !== face)
      const rest = match(person + 1, others)
      const own = far(person, face)
      return { total: own + rest.total, each: [own, ...rest.each] }
    })
    return choices.reduce((best, choice) => (choice.total < best.total ? choice : best))
  }
  return match(0, faces).each.map((own) => 1 - Math.min(own, 1))
}

/** A hosted picture shows somebody who is not in the photos that it was to be made of. */
export class LikenessError extends Error {
  override name = 'LikenessError'
  readonly likeness: number

  constructor(likeness: number, likenessMin: number) {
    super(`a stranger’s face: likeness ${percent(likeness)}, at least ${percent(likenessMin)}`)
    this.likeness = likeness
  }
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`
}
