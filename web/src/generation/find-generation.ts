import type { GenerationItem } from '@starside/contract/generation.ts'
import { call } from '../api/call.ts'

/** One selfie of one's own as the server knows it. Throws `ApiError`. */
export async function fetchItem(
  generationId: string,
  signal: AbortSignal,
): Promise<GenerationItem> {
  const params = { generationId }
  return (await call('GET /api/generations/:generationId', { params, signal })).generation
}

/**
 * The selfie of an upload whose page was left before the answer came, where the photos had all
 * arrived: one that is being made, or the newest if it was begun since. Null when there is none,
 * and when the server does not say.
 */
export async function findInterrupted(
  startedAtMs: number,
  signal: AbortSignal,
): Promise<GenerationItem | null> {
  try {
    const { items } = await call('GET /api/generations', { signal })
    const newest = items[0]
    if (!newest || newest.state === 'failed') return null
    const isNew = newest.state === 'running' || Date.parse(newest.createdAt) >= startedAtMs
    return isNew ? newest : null
  } catch {
    return null
  }
}
