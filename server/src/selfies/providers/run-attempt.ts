import { cardName } from '../../vendors/models/model-description.ts'
import type { SelfieParts } from '../parts.ts'
import { findAttempt } from './attempt-queries.ts'
import { failAttempt } from './fail-attempt.ts'
import { fetchOutput } from './fetch-output.ts'
import { findGeneration } from '../queries.ts'
import { markSubmitUnknown, submitAttempt } from './submit-attempt.ts'

/**
 * One piece of network work for an attempt, by the state it is in: submitting the request, or
 * fetching the picture that it has brought. Whatever the queue repeats, a request is submitted once:
 * a run that finds it half submitted only waits for its answer.
 */
export async function runAttempt(
  parts: SelfieParts,
  attemptId: string,
  signal: AbortSignal,
): Promise<void> {
  const attempt = await findAttempt(parts.database, attemptId)
  if (attempt === undefined) return
  const provider = parts.images.find(cardName(attempt))
  if (provider === undefined) {
    const detail = 'it is not set up any more'
    const maybeCharged = attempt.submitted_at !== null
    await failAttempt(parts, attempt.id, { kind: 'provider_down', detail, maybeCharged })
    return
  }
  if (attempt.state === 'granted') {
    const row = await findGeneration(parts.database, attempt.generation_id)
    // Two stars or a place make three photos.
    const photos = 1 + (row?.star_names?.length ?? 1) + (row?.has_background_photo ? 1 : 0)
    if (row !== undefined && photos > provider.photosMax) {
      const detail = `it takes ${provider.photosMax} photos only`
      const failure = { kind: 'bad_input', detail, maybeCharged: false, isSkipped: true } as const
      await failAttempt(parts, attempt.id, failure)
      return
    }
    await submitAttempt(parts, attempt, { provider, signal })
  } else if (attempt.state === 'submitting') {
    await markSubmitUnknown(parts, attempt, { provider, detail: 'its run died' })
  } else if (attempt.state === 'answered' && provider.kind === 'queued') {
    await fetchOutput(parts, attempt, { provider, signal })
  }
}
