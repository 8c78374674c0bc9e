import type { SelfieParts } from '../parts.ts'
import { AppError } from '../../platform/errors/app-error.ts'

/**
 * Opens a public link to one's own finished picture; a picture that has one keeps it. The id has
 * 128 random bits. Throws `generation_unknown`.
 */
export async function sharePicture(
  context: Pick<SelfieParts, 'database' | 'randomBytes'>,
  options: { generationId: string; userId: string },
): Promise<void> {
  const shareId = context.randomBytes(16).toString('base64url')
  const shared = await context.database
    .updateTable('generations')
    .set(({ fn, ref, val }) => ({ share_id: fn.coalesce(ref('share_id'), val(shareId)) }))
    .where('id', '=', options.generationId)
    .where('user_id', '=', options.userId)
    .where('state', '=', 'done')
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (shared === undefined) throw new AppError('generation_unknown')
}

/** Voids the public link for good; a later one has another id. */
export async function unsharePicture(
  context: Pick<SelfieParts, 'database'>,
  options: { generationId: string; userId: string },
): Promise<void> {
  await context.database
    .updateTable('generations')
    .set({ share_id: null })
    .where('id', '=', options.generationId)
    .where('user_id', '=', options.userId)
    .execute()
}
