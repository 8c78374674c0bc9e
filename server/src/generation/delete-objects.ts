import type { Context } from '../context.ts'
import { pngKeyOf } from './picture-png.ts'
import type { GenerationRow } from './queries.ts'

type Parts = Pick<Context, 'database' | 'store'>

/** Deletes the photos that a generation was made of: they are kept only while it runs. */
export async function deleteInputs(
  parts: Parts,
  row: Pick<GenerationRow, 'id' | 'user_photo_key' | 'star_photo_key' | 'second_star_photo_key'>,
): Promise<void> {
  await deleteKeys(parts, [row.user_photo_key, row.star_photo_key, row.second_star_photo_key])
  await parts.database
    .updateTable('generations')
    .set({ user_photo_key: null, star_photo_key: null, second_star_photo_key: null })
    .where('id', '=', row.id)
    .execute()
}

/** Deletes every object of a generation. The row is the caller's to change. */
export async function deleteAllObjects(
  parts: Pick<Context, 'store'>,
  row: GenerationRow,
): Promise<void> {
  await deleteKeys(parts, [
    row.user_photo_key,
    row.star_photo_key,
    row.second_star_photo_key,
    row.clean_key,
    row.watermarked_key,
    pngKey(row.clean_key),
    pngKey(row.watermarked_key),
    row.clean_thumbnail_key,
    row.watermarked_thumbnail_key,
  ])
}

/** Whether it was ever made isn't known; deleting what isn't there is no error. */
function pngKey(jpegKey: string | null): string | null {
  return jpegKey === null ? null : pngKeyOf(jpegKey)
}

async function deleteKeys(parts: Pick<Context, 'store'>, keys: (string | null)[]): Promise<void> {
  const present = keys.filter((key) => key !== null)
  await Promise.all(present.map((key) => parts.store.delete(key)))
}
