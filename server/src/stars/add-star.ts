import { retiredPresets } from '@starside/contract/preset-categories.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { inTransaction } from '../platform/db/database.ts'
import { insertRow } from '../platform/db/rows.ts'
import { violatedConstraint } from '../platform/db/postgres-errors.ts'
import { personIdPattern } from './person-files.ts'
import { shippedPresets } from './presets.ts'
import type { StarParts } from './parts.ts'
import { starQueue, starUploadKey } from './star-objects.ts'
import { columnsOf } from './star-rules.ts'
import type { StarRules } from './star-rules.ts'

type AddStarParts = Pick<StarParts, 'clock' | 'database'> & {
  store(): Promise<StarParts['store']>
  engine: Pick<StarParts['engine'], 'admit'>
  jobs: Pick<StarParts['jobs'], 'enqueue'>
}

/** How often a name that is taken gets the next number. */
const idsMax = 100

/**
 * Keeps a star with its picture and enqueues the job that cuts it out; answers the star's id. Nothing
 * is kept when anything fails.
 *
 * @param picture an upload of any origin and content
 * @throws PhotoError as `admitStarPicture`
 */
export async function addStar(
  parts: AddStarParts,
  { picture, createdBy, ...rules }: StarRules & { picture: Uint8Array; createdBy: string },
): Promise<string> {
  const folder = { object_folder: crypto.randomUUID() }
  await admitStarPicture(parts, picture, folder)
  try {
    return await insertStar(parts, rules, { ...folder, created_by: createdBy })
  } catch (error) {
    await (await parts.store()).delete(starUploadKey(folder.object_folder))
    throw error
  }
}

/**
 * Looks at a picture that a star is to be cut out of, and keeps it where the star is told.
 * @throws PhotoError where it is no picture or no selfie can be made of its face; a cut-out without its
 *   background is `photo_format`, as the whole picture is shown too
 */
export async function admitStarPicture(
  { engine, store }: Pick<AddStarParts, 'engine' | 'store'>,
  bytes: Uint8Array,
  star?: { object_folder: string },
): Promise<undefined> {
  const { photo, inspection } = await engine.admit({ bytes })
  const refusal = photo.hasMatte ? 'photo_format' : inspection.refusals[0]
  if (refusal !== undefined) throw new PhotoError(refusal)
  const key = star && starUploadKey(star.object_folder)
  if (key) await (await store()).put(key, photo.bytes, photo.mediaType)
}

async function insertStar(
  { database, jobs, clock }: AddStarParts,
  rules: StarRules,
  about: { object_folder: string; created_by: string },
): Promise<string> {
  for (let number = 1; ; number += 1) {
    const id = idOf(rules.name, number)
    if (reservedIds.includes(id)) continue
    try {
      await inTransaction(database, async (transaction) => {
        const made = { ...about, state: 'cutting', created_at: clock() } as const
        await insertRow(transaction, 'stars', { id, ...columnsOf(rules), ...made })
        await jobs.enqueue(transaction, starQueue.name, { starId: id })
      })
      return id
    } catch (error) {
      if (violatedConstraint(error) !== 'stars_pkey' || number === idsMax) throw error
    }
  }
}

/** Ids of stars that come with the program, or came with an earlier one. */
const reservedIds: readonly string[] = [...shippedPresets, ...retiredPresets.map(({ id }) => id)]

/** `Ada Lovelace` is `ada-lovelace`, the second one `ada-lovelace-2`; others are numbered stars. */
function idOf(name: string, number: number): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 34)
    .replace(/-+$/, '')
  const stem = personIdPattern.test(plain) ? plain : 'star'
  return number === 1 && stem !== 'star' ? stem : `${stem}-${number}`
}
