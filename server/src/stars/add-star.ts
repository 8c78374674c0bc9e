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

type AddStarParts = Pick<StarParts, 'clock' | 'database' | 'store'> & {
  engine: Pick<StarParts['engine'], 'normalise'>
  jobs: Pick<StarParts['jobs'], 'enqueue'>
}

/** How often a name that is taken gets the next number. */
const idsMax = 100

/**
 * Keeps a star with its picture and enqueues the job that cuts it out; answers the star's id. Nothing
 * is kept when anything fails.
 *
 * @param picture an upload of any origin and content
 * @throws PhotoError where it is no picture; a cut-out without its background is `photo_format`, as
 *   the whole picture is shown too
 */
export async function addStar(
  parts: AddStarParts,
  { picture, createdBy, ...rules }: StarRules & { picture: Uint8Array; createdBy: string },
): Promise<string> {
  const { engine, store } = parts
  const photo = await engine.normalise(picture)
  if (photo.hasMatte) throw new PhotoError('photo_format')
  const objectFolder = crypto.randomUUID()
  const key = starUploadKey(objectFolder)
  await store.put(key, photo.bytes, photo.mediaType)
  try {
    return await insertStar(parts, rules, { object_folder: objectFolder, created_by: createdBy })
  } catch (error) {
    await store.delete(key)
    throw error
  }
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
        const made = {
          ...columnsOf(rules),
          ...about,
          state: 'cutting',
          created_at: clock(),
        } as const
        await insertRow(transaction, 'stars', { id, ...made })
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
