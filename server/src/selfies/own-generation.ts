import type { GenerationAnswer } from '@starside/contract/generation.ts'
import type { SelfieParts } from './parts.ts'
import { isUuid } from '../platform/db/uuid.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { presentGeneration } from './present-generation.ts'

/** A generation in the path of a request, with the person who asks for it. */
export interface OwnGenerationId {
  generationId: string
  userId: string
}

/**
 * The signed-in person and the id in the path. Whether the generation is really theirs, the query
 * that uses both decides. Throws `generation_unknown` for an id that can't be one.
 */
export function ownGenerationOf(call: {
  user: { userId: string }
  params: { generationId: string }
}): OwnGenerationId {
  const { generationId } = call.params
  if (!isUuid(generationId)) throw new AppError('generation_unknown')
  return { generationId, userId: call.user.userId }
}

/** Changes one's own generation that the path names, and answers how it stands then. */
export async function changeOwnGeneration(
  parts: SelfieParts,
  call: Parameters<typeof ownGenerationOf>[0],
  change: (own: OwnGenerationId) => Promise<void>,
): Promise<GenerationAnswer> {
  const own = ownGenerationOf(call)
  await change(own)
  return answerOwnGeneration(parts, own)
}

/** One's own generation as it stands. Throws `generation_unknown` for anybody else's. */
export async function answerOwnGeneration(
  parts: SelfieParts,
  own: OwnGenerationId,
): Promise<GenerationAnswer> {
  const row = await parts.findOwnGeneration(own)
  if (row === undefined) throw new AppError('generation_unknown')
  return { success: true, generation: presentGeneration(parts, row) }
}
