import { sql } from 'kysely'
import { cardName } from '../../vendors/models/model-description.ts'
import type { SelfieParts } from '../parts.ts'
import { submissionOf } from './attempt-queries.ts'
import type { AttemptRow } from './attempt-queries.ts'
import { finalStates, timedStates } from './attempt-states.ts'
import { failAttempt } from './fail-attempt.ts'
import { forgetRequest } from './forget-request.ts'
import { noteLateAnswer } from './record-answer.ts'
import type { VendorCalls } from './watch-attempts.ts'

const batchSize = 16
const cancelTimeoutMs = 5_000

/** Gives up requests that nobody answered in time, and those that got no slot. */
export async function giveUpOverdue(parts: SelfieParts, calls: VendorCalls): Promise<void> {
  const overdue = await parts.database
    .selectFrom('generation_attempts')
    .selectAll()
    .where('state', 'in', timedStates)
    .where('deadline_at', '<=', parts.clock())
    .limit(batchSize)
    .execute()
  for (const attempt of overdue) {
    const isSent = attempt.submitted_at !== null
    const failure = isSent
      ? ({ kind: 'timeout', detail: 'it took too long' } as const)
      : ({ kind: 'provider_busy', detail: 'no slot was free in time' } as const)
    await giveUp(parts, attempt, failure, calls)
  }
}

/** Gives up requests whose generation has ended otherwise, as when the hold expired. */
export async function giveUpEnded(parts: SelfieParts, calls: VendorCalls): Promise<void> {
  const ended = await parts.database
    .selectFrom('generation_attempts as attempt')
    .innerJoin('generations', 'generations.id', 'attempt.generation_id')
    .selectAll('attempt')
    .where('attempt.state', 'not in', finalStates)
    .where(sql<boolean>`generations.state <> 'running'`)
    .limit(batchSize)
    .execute()
  for (const attempt of ended) {
    const failure = { kind: 'unknown', detail: 'the generation had ended' } as const
    await giveUp(parts, attempt, failure, calls)
  }
}

/** The credit goes back first; whether the vendor drops the request is found out afterwards. */
async function giveUp(
  parts: SelfieParts,
  attempt: AttemptRow,
  failure: { kind: 'timeout' | 'provider_busy' | 'unknown'; detail: string },
  calls: VendorCalls,
): Promise<void> {
  // Even a request that is cancelled in time may be charged for what was done of it.
  const maybeCharged = attempt.submitted_at !== null
  await failAttempt(parts, attempt.id, { ...failure, maybeCharged })
  const provider = parts.images.find(cardName(attempt))
  calls.begin(async () => {
    const submission = submissionOf(attempt)
    const within = () => AbortSignal.any([calls.signal, AbortSignal.timeout(cancelTimeoutMs)])
    const isDropped =
      provider?.kind === 'queued' &&
      submission !== undefined &&
      (await provider.cancel(submission, within()))
    const signal = within()
    await forgetRequest(parts, attempt, { provider, urls: [], signal })
    if (isDropped) await noteLateAnswer(parts, attempt.id)
  })
}
