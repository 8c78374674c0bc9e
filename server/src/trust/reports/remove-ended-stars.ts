import type { TrustParts } from '../parts.ts'
import { removePicture } from './remove-picture.ts'

type Parts = Pick<TrustParts, 'database' | 'store' | 'clock' | 'site'>

const atOnceMax = 200

/**
 * Removes pictures with stars whose licence has ended, where operators have set so. Nothing is blocked: the
 * photos that people took of themselves may be used again.
 */
export async function removeEndedStars(parts: Parts): Promise<void> {
  if (parts.site.values()['stars.afterLicence'] === 'keep') return
  const { database, clock } = parts
  const today = clock().toISOString().slice(0, 10)
  const ended = await database
    .selectFrom('stars')
    .select('id')
    .where('licence_until', '<', today)
    .execute()
  if (ended.length === 0) return
  const ids = ended.map(({ id }) => id)
  const pictures = await database
    .selectFrom('generations')
    .select('id')
    .where((or) => or.or([or('preset_id', 'in', ids), or('second_preset_id', 'in', ids)]))
    .where('state', '=', 'done')
    .where('clean_key', 'is not', null)
    .limit(atOnceMax)
    .execute()
  const reason = 'the licence of its star has ended'
  for (const { id } of pictures) {
    await removePicture(parts, { generationId: id, reason, by: 'system' })
  }
}
