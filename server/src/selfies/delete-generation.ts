import type { SelfieParts } from './parts.ts'
import { AppError } from '../platform/errors/app-error.ts'

/**
 * Takes a finished picture out of the owner's history and voids its public link at once. For half
 * a minute it can be brought back; then its objects are deleted. Throws `generation_unknown`.
 */
export async function deleteGeneration(
  context: Pick<SelfieParts, 'database' | 'clock'>,
  options: { generationId: string; userId: string },
): Promise<void> {
  const deleted = await context.database
    .updateTable('generations')
    .set({ deleted_at: context.clock(), share_id: null })
    .where('id', '=', options.generationId)
    .where('user_id', '=', options.userId)
    .where('state', '!=', 'running')
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (deleted === undefined) throw new AppError('generation_unknown')
}

/** Undoes a deletion while the picture is still there. Throws `generation_unknown` after that. */
export async function restoreGeneration(
  context: Pick<SelfieParts, 'database'>,
  options: { generationId: string; userId: string },
): Promise<void> {
  const restored = await context.database
    .updateTable('generations')
    .set({ deleted_at: null })
    .where('id', '=', options.generationId)
    .where('user_id', '=', options.userId)
    .where('deleted_at', 'is not', null)
    .where('clean_key', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  if (restored === undefined) throw new AppError('generation_unknown')
}
