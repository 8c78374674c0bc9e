import type { StarParts } from './parts.ts'
import { isUuid } from '../platform/db/uuid.ts'

/** Objects younger than this may belong to a star that is being added. */
const orphanAgeMs = 60 * 60_000

/** Deletes objects in folders that no star names: what a crash has left. May run twice. */
export async function sweepStarObjects(
  { database, store, clock }: Pick<StarParts, 'database' | 'store' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const madeBefore = new Date(clock().getTime() - orphanAgeMs)
  let folder = ''
  let isNamed = true
  for await (const { key, modifiedAt } of store.list('stars')) {
    if (signal.aborted) return
    const keyFolder = key.split('/')[1] ?? ''
    if (!isUuid(keyFolder)) continue
    // Keys come in their order, so that each folder is looked up once.
    if (keyFolder !== folder) {
      folder = keyFolder
      const star = await database
        .selectFrom('stars')
        .select('id')
        .where('object_folder', '=', folder)
        .executeTakeFirst()
      isNamed = star !== undefined
    }
    if (!isNamed && modifiedAt < madeBefore) await store.delete(key)
  }
}
