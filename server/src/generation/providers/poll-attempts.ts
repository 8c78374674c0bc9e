import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { leaseDue } from '../../db/lease-due.ts'
import { HostedError } from '../vendors/hosted-error.ts'
import { writeStage } from '../write-stage.ts'
import { submissionOf } from './attempt-queries.ts'
import type { AttemptRow } from './attempt-queries.ts'
import { providerName } from './image-models.ts'
import { settleAttempt } from './settle-attempt.ts'
import type { VendorCalls } from './watch-attempts.ts'

/** Longer than a poll takes; the request of a killed poller is free again after it. */
const leaseMs = 40_000

/** Polls submitted requests that are due, as many as calls may be under way. */
export async function pollAttempts(context: Context, calls: VendorCalls): Promise<void> {
  const limit = calls.room()
  if (limit <= 0) return
  const due = await leaseDue(
    context.database,
    {
      table: 'generation_attempts',
      key: ['id'],
      dueAt: 'next_look_at',
      count: 'poll_count',
      where: sql<boolean>`state = 'submitted'`,
    },
    { now: context.clock(), leaseMs, limit },
  )
  for (const attempt of due) calls.begin(() => pollOne(context, attempt, calls.signal))
}

async function pollOne(context: Context, attempt: AttemptRow, signal: AbortSignal): Promise<void> {
  const provider = context.images.find(providerName(attempt))
  const submission = submissionOf(attempt)
  if (provider?.kind !== 'queued' || submission === undefined) return
  try {
    const status = await provider.poll(submission, signal)
    if (status.state === 'picture' || status.state === 'failed') {
      await settleAttempt(context, attempt.id, status)
      return
    }
    await noteProgress(context, attempt, status.state === 'queued' ? status.position : undefined)
    if (status.state === 'working') await writeStage(context, attempt.generation_id, 'blend')
  } catch (error) {
    // A poll that fails proves nothing about the request: it goes on until its time is over.
    if (!(error instanceof HostedError)) throw error
    context.log.warn({ err: error, attemptId: attempt.id }, 'an image request could not be polled')
    await noteProgress(context, attempt, attempt.queue_position ?? undefined)
  }
}

async function noteProgress(
  context: Context,
  attempt: AttemptRow,
  position: number | undefined,
): Promise<void> {
  const next = new Date(context.clock().getTime() + context.images.settings.pollIntervalMs)
  await context.database
    .updateTable('generation_attempts')
    .set({ queue_position: position ?? null, next_look_at: next })
    .where('id', '=', attempt.id)
    .where('state', '=', 'submitted')
    .execute()
}
