import { holdLifetimeMs } from '@starside/contract/limits.ts'
import promptTemplate from '../../vendors/prompt/template.json' with { type: 'json' }
import type { SelfieParts } from '../parts.ts'
import { insertRow, updateRows } from '../../platform/db/rows.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { fromNow } from '../../platform/clock.ts'

/** Premium users' selfies are taken from the queues first. */
const premiumPriority = 10

type StepParts = Pick<SelfieParts, 'images' | 'jobs' | 'clock'>

/**
 * Hands a generation to the provider at a position of the chain: by a job, or an attempt that waits for a
 * slot. Its hold must last until `stepHoldEnd`. Passes over who may not be asked; false behind the end.
 * @param place.repetition 1 where the same provider is asked once more
 */
export async function beginStep(
  parts: StepParts,
  transaction: Transaction,
  owner: { generationId: string; userId: string; isPremium: boolean },
  { position, repetition }: { position: number; repetition: number },
): Promise<boolean> {
  const { images, jobs, clock } = parts
  const step = images.step(position)
  if (step === undefined) return false
  if (!images.mayAsk(step)) {
    return await beginStep(parts, transaction, owner, { position: position + 1, repetition: 0 })
  }
  const { settings } = images
  const now = clock()
  const isHosted = step.provider !== 'compositor'
  const { generationId } = owner
  const { provider } = step
  const model = isHosted ? step.model : null
  await updateRows(transaction, 'generations', {
    match: { id: generationId },
    set: { chain_position: position, provider, model },
  })
  const priority = owner.isPremium ? premiumPriority : 0
  if (!isHosted) {
    await jobs.enqueue(transaction, generationQueue.name, { generationId }, { priority })
    return true
  }
  await insertRow(transaction, 'generation_attempts', {
    generation_id: generationId,
    user_id: owner.userId,
    chain_position: position,
    repetition,
    provider,
    model: step.model,
    prompt_version: promptTemplate.version,
    priority,
    created_at: now,
    next_look_at: now,
    deadline_at: fromNow(parts, settings.slotTimeoutMs),
  })
  return true
}

/** When a hold may expire at the earliest, so that it can't expire under the provider at that position. */
export function stepHoldEnd(parts: StepParts, position: number): Date {
  const { settings } = parts.images
  const step = parts.images.step(position)
  const isHosted = step !== undefined && step.provider !== 'compositor'
  const waitMs = isHosted ? settings.slotTimeoutMs + settings.attemptTimeoutMs : 0
  return fromNow(parts, waitMs + holdLifetimeMs)
}

/** The queue of selfies: up to three attempts, each of them at most three minutes. */
export const generationQueue = { name: 'generation', retryLimit: 2, expireInSeconds: 180 }
