import type { SelfieParts } from '../parts.ts'
import type { OwnedGenerationRow } from '../queries.ts'

/**
 * The pictures of a generation's variations beside the one that it is shown as, as large as they are,
 * as their owner may have them; JPEG. One that is deleted meanwhile is left out.
 */
export async function readOtherVariations(
  { database, store }: Pick<SelfieParts, 'database' | 'store'>,
  { id, clean_key: shownKey, is_premium: isPremium }: OwnedGenerationRow,
): Promise<{ variationId: string; bytes: Buffer }[]> {
  const rows = await database
    .selectFrom('variations')
    .selectAll()
    .where('generation_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .execute()
  const found: { variationId: string; bytes: Buffer }[] = []
  for (const row of rows) {
    if (row.clean_key !== null && row.clean_key === shownKey) continue
    const key = isPremium
      ? (row.clean_key ?? row.clean_preview_key)
      : (row.watermarked_key ?? row.watermarked_preview_key)
    const bytes = key === null ? undefined : await store.get(key)
    if (bytes !== undefined) found.push({ variationId: row.id, bytes: Buffer.from(bytes) })
  }
  return found
}
