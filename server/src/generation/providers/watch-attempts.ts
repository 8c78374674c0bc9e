import { HostedError } from '@starside/engine/hosted/hosted-error.ts'
import type { HostedProvider, Submission } from '@starside/engine/hosted/hosted-provider.ts'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { writeStage } from '../write-stage.ts'
import { turnsTopic } from './attempt-job.ts'
import type { AttemptRow } from './attempt-queries.ts'
import { failAttempt } from './fail-attempt.ts'
import { giveTurns } from './give-turns.ts'
import { makerName } from './image-models.ts'
import { noteLateAnswer, settleAttempt } from './settle-attempt.ts'

/** Watches orders that somebody else works on, without holding a place of any queue. */
export interface AttemptWatcher {
  /** Looks at everything that is due, once. */
  look(): Promise<void>
  close(): Promise<void>
}

const lookIntervalMsMax = 1_000
/** Longer than a poll takes; the order of a killed poller is free again after it. */
const leaseMs = 40_000
const batchSize = 16
/** Questions to vendors under way at the same time on this node. */
const callsMax = 32
const cancelTimeoutMs = 5_000

interface Round {
  signal: AbortSignal
  /** How many further calls may be made now. */
  room(): number
  /** Has a vendor called without anybody waiting for it here. */
  call(work: () => Promise<void>): void
}

/**
 * Starts the watcher of this node: gives turns, polls orders whose webhook is missing, and gives up
 * what overran its time. All nodes with a worker may run one; rows are leased.
 */
export function watchAttempts(context: Context): AttemptWatcher {
  const stop = new AbortController()
  const intervalMs = Math.min(lookIntervalMsMax, context.images.settings.pollIntervalMs)
  let looking: Promise<void> | undefined
  let isAskedAgain = false
  let timer: NodeJS.Timeout | undefined

  const calls = new Set<Promise<void>>()

  /** Vendors are called beside the looking, so that a slow one holds up nobody else's turn. */
  const round: Round = {
    signal: stop.signal,
    room: () => callsMax - calls.size,
    call(work) {
      const call = work()
        .catch((error: unknown) => {
          if (stop.signal.aborted) return
          context.log.error({ err: error }, 'an order could not be watched')
        })
        .finally(() => calls.delete(call))
      calls.add(call)
    },
  }

  async function lookOnce(): Promise<void> {
    for (const step of [giveTurns, giveUpOverdue, giveUpEnded, pollDue]) {
      if (stop.signal.aborted) return
      await step(context, round)
    }
  }

  function look(): Promise<void> {
    if (looking !== undefined) {
      isAskedAgain = true
      return looking
    }
    clearTimeout(timer)
    looking = lookOnce()
      .catch((error: unknown) => {
        if (!stop.signal.aborted) context.log.error({ err: error }, 'orders could not be watched')
      })
      .finally(() => {
        looking = undefined
        if (stop.signal.aborted) return
        const delayMs = isAskedAgain ? 0 : intervalMs
        isAskedAgain = false
        timer = setTimeout(() => void look(), delayMs)
      })
    return looking
  }

  const stopListening = context.notifications.subscribe(turnsTopic, () => void look())
  void look()
  return {
    look,
    async close() {
      stop.abort()
      stopListening()
      clearTimeout(timer)
      await looking
      await Promise.all(calls)
    },
  }
}

/** Asks after orders that are due, as many as calls may be under way. */
async function pollDue(context: Context, round: Round): Promise<void> {
  const due = round.room() > 0 ? await claimDue(context, round.room()) : []
  for (const attempt of due) round.call(() => pollOne(context, attempt, round.signal))
}

async function claimDue(context: Context, limit: number): Promise<AttemptRow[]> {
  const now = context.clock()
  return context.database
    .updateTable('generation_attempts')
    .set((column) => ({
      next_look_at: new Date(now.getTime() + leaseMs),
      poll_count: column('poll_count', '+', 1),
    }))
    .where('id', 'in', (query) =>
      query
        .selectFrom('generation_attempts')
        .select('id')
        .where('state', '=', 'submitted')
        .where('next_look_at', '<=', now)
        .orderBy('next_look_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
}

async function pollOne(context: Context, attempt: AttemptRow, signal: AbortSignal): Promise<void> {
  const provider = context.images.find(makerName(attempt))
  const submission = submissionOf(attempt)
  if (provider?.kind !== 'queued' || submission === undefined) return
  try {
    const order = await provider.poll(submission, signal)
    if (order.state === 'picture' || order.state === 'failed') {
      await settleAttempt(context, attempt.id, order)
      return
    }
    await noteProgress(context, attempt, order.state === 'queued' ? order.position : undefined)
    if (order.state === 'working') await writeStage(context, attempt.generation_id, 'blend')
  } catch (error) {
    // A poll that fails proves nothing about the order: it goes on until its time is over.
    if (!(error instanceof HostedError)) throw error
    context.log.warn({ err: error, attemptId: attempt.id }, 'an order could not be asked after')
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

/** Orders that nobody answered in time, and those whose turn never came. */
async function giveUpOverdue(context: Context, round: Round): Promise<void> {
  const overdue = await context.database
    .selectFrom('generation_attempts')
    .selectAll()
    .where('state', 'in', ['waiting', 'granted', 'submitting', 'submitted', 'submit_unknown'])
    .where('deadline_at', '<=', context.clock())
    .limit(batchSize)
    .execute()
  for (const attempt of overdue) {
    const isSent = attempt.submitted_at !== null
    const failure = isSent
      ? ({ kind: 'timeout', detail: 'it took too long' } as const)
      : ({ kind: 'provider_busy', detail: 'no turn came in time' } as const)
    await giveUp(context, attempt, failure, round)
  }
}

/** Orders whose generation has ended otherwise, as when the hold expired. */
async function giveUpEnded(context: Context, round: Round): Promise<void> {
  const ended = await context.database
    .selectFrom('generation_attempts as attempt')
    .innerJoin('generations', 'generations.id', 'attempt.generation_id')
    .selectAll('attempt')
    .where('attempt.state', 'not in', ['succeeded', 'failed'])
    .where(sql<boolean>`generations.state <> 'running'`)
    .limit(batchSize)
    .execute()
  for (const attempt of ended) {
    const failure = { kind: 'unknown', detail: 'the generation had ended' } as const
    await giveUp(context, attempt, failure, round)
  }
}

/** The credit goes back first; whether the vendor lets go of the order is found out afterwards. */
async function giveUp(
  context: Context,
  attempt: AttemptRow,
  failure: { kind: 'timeout' | 'provider_busy' | 'unknown'; detail: string },
  round: Round,
): Promise<void> {
  // Even an order that is cancelled in time may be charged for what was done of it.
  const maybeCharged = attempt.submitted_at !== null
  await failAttempt(context, attempt.id, { ...failure, maybeCharged })
  const provider = context.images.find(makerName(attempt))
  round.call(async () => {
    const isDropped = await cancelAtVendor(attempt, provider, round.signal)
    if (isDropped) await noteLateAnswer(context, attempt.id)
  })
}

async function cancelAtVendor(
  attempt: AttemptRow,
  provider: HostedProvider | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const submission = submissionOf(attempt)
  if (provider?.kind !== 'queued' || submission === undefined) return false
  const limited = AbortSignal.any([signal, AbortSignal.timeout(cancelTimeoutMs)])
  return await provider.cancel(submission, limited)
}

function submissionOf(attempt: AttemptRow): Submission | undefined {
  const { request_id: requestId, status_url: statusUrl } = attempt
  const { response_url: responseUrl, cancel_url: cancelUrl } = attempt
  if (requestId === null || statusUrl === null || responseUrl === null) return undefined
  return { requestId, statusUrl, responseUrl, cancelUrl: cancelUrl ?? '' }
}
