import type { AttemptParts } from './attempt-parts.ts'
import { findAttempt } from './attempt-queries.ts'
import { failAttempt } from './fail-attempt.ts'
import { fetchOutput } from './fetch-output.ts'
import { providerName } from './image-models.ts'
import { markSubmitUnknown, submitAttempt } from './submit-attempt.ts'

/**
 * One piece of network work for an attempt, by the state it is in: submitting the request, or
 * fetching the picture that it has brought. Whatever the queue repeats, a request is submitted once:
 * a run that finds it half submitted only waits for its answer.
 */
export async function runAttempt(
  parts: AttemptParts,
  attemptId: string,
  signal: AbortSignal,
): Promise<void> {
  const attempt = await findAttempt(parts.database, attemptId)
  if (attempt === undefined) return
  const provider = parts.images.find(providerName(attempt))
  if (provider === undefined) {
    const detail = 'it is not set up any more'
    const maybeCharged = attempt.submitted_at !== null
    await failAttempt(parts, attempt.id, { kind: 'provider_down', detail, maybeCharged })
    return
  }
  if (attempt.state === 'granted') {
    await submitAttempt(parts, attempt, { provider, signal })
  } else if (attempt.state === 'submitting') {
    await markSubmitUnknown(parts, attempt, { provider, detail: 'its run died' })
  } else if (attempt.state === 'answered' && provider.kind === 'queued') {
    await fetchOutput(parts, attempt, { provider, signal })
  }
}
