import { sql } from 'kysely'
import { leaseDue } from '../../platform/db/lease-due.ts'
import { HostedError } from '../../vendors/hosted-error.ts'
import { cardName } from '../../vendors/models/model-description.ts'
import { writeStage } from '../write-stage.ts'
import type { SelfieParts } from '../parts.ts'
import { submissionOf } from './attempt-queries.ts'
import type { AttemptRow } from './attempt-queries.ts'
import { forgetRequest } from './forget-request.ts'
import { recordAnswer } from './record-answer.ts'
import type { VendorCalls } from './watch-attempts.ts'

/** Longer than a poll takes; the request of a killed poller is free again after it. */
const leaseMs = 40_000

/** Polls submitted requests that are due, as many as calls may be under way. */
export async function pollAttempts(parts: SelfieParts, calls: VendorCalls): Promise<void> {
  const limit = calls.room()
  if (limit <= 0) return
  const due = await leaseDue(
    parts.database,
    {
      table: 'generation_attempts',
      key: ['id'],
      dueAt: 'next_look_at',
      count: 'poll_count',
      where: sql<boolean>`state = 'submitted'`,
    },
    { now: parts.clock(), leaseMs, limit },
  )
  for (const attempt of due) calls.begin(() => pollOne(parts, attempt, calls.signal))
}

async function pollOne(parts: SelfieParts, attempt: AttemptRow, signal: AbortSignal) {
  const provider = parts.images.find(cardName(attempt))
  const submission = submissionOf(attempt)
  if (provider?.kind !== 'queued' || submission === undefined) return
  try {
    const status = await provider.poll(submission, signal)
    if (status.state === 'pictures' || status.state === 'failed') {
      await recordAnswer(parts, attempt.id, status)
      if (status.state === 'failed') {
        await forgetRequest(parts, attempt, { provider, urls: [], signal })
      }
      return
    }
    await noteProgress(parts, attempt, status.state === 'queued' ? status.position : undefined)
    if (status.state === 'working') await writeStage(parts, attempt.generation_id, 'blend')
  } catch (error) {
    // A poll that fails proves nothing about the request: it goes on until its time is over.
    if (!(error instanceof HostedError)) throw error
    parts.log.warn({ err: error, attemptId: attempt.id }, 'an image request could not be polled')
    await noteProgress(parts, attempt, attempt.queue_position ?? undefined)
  }
}

async function noteProgress(parts: SelfieParts, attempt: AttemptRow, position: number | undefined) {
  const next = new Date(parts.clock().getTime() + parts.images.settings.pollIntervalMs)
  await parts.database
    .updateTable('generation_attempts')
    .set({ queue_position: position ?? null, next_look_at: next })
    .where('id', '=', attempt.id)
    .where('state', '=', 'submitted')
    .execute()
}
