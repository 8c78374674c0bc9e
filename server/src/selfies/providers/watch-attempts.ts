import { sql } from 'kysely'
import { createBackgroundWork } from '../../platform/background-work.ts'
import { leaseDue } from '../../platform/db/lease-due.ts'
import { findRow, findRows, updateRows } from '../../platform/db/rows.ts'
import { HostedError } from '../../vendors/hosted-error.ts'
import { cardName } from '../../vendors/models/model-description.ts'
import { writeStagePercent } from '../generation-progress.ts'
import type { SelfieParts } from '../parts.ts'
import { slotsTopic, submissionOf, finalStates, timedStates } from './attempts.ts'
import type { AttemptRow } from './attempts.ts'
import { recordAnswer, failAttempt, noteLateAnswer } from './end-attempt.ts'
import { forgetRequest } from './fetch-output.ts'
import { grantSlots } from './grant-slots.ts'
import { fromNow } from '../../platform/clock.ts'

/** Calls to vendors beside the rounds, so that a slow one holds up nobody else's slot. */
interface VendorCalls {
  signal: AbortSignal
  /** How many further calls may begin now. */
  room(): number
  /** Begins a call that nobody waits for here. */
  begin(work: () => Promise<void>): void
}

const roundIntervalMsMax = 1_000
/** Calls to vendors under way at the same time on this node. */
const callsMax = 32

/** What a round does; all of it may run on several nodes at once. */
const steps: readonly ((parts: SelfieParts, calls: VendorCalls) => Promise<void>)[] = [
  grantSlots,
  giveUpOverdue,
  giveUpEnded,
  pollAttempts,
]

/** Starts this node's watcher of waiting attempts: a round at notifications and now and then. */
export function watchAttempts(parts: SelfieParts): {
  /** Does everything that is due, once. */
  run(): Promise<void>
  close(): Promise<void>
} {
  const stop = new AbortController()
  const intervalMs = Math.min(roundIntervalMsMax, parts.images.settings.pollIntervalMs)
  const work = createBackgroundWork((error) => {
    if (!stop.signal.aborted)
      parts.log.error({ err: error }, 'a call to a vendor could not be made')
  })
  const calls: VendorCalls = {
    signal: stop.signal,
    room: () => callsMax - work.count(),
    begin: (call) => work.run(call),
  }
  let running: Promise<void> | undefined
  let isAskedAgain = false
  let timer: NodeJS.Timeout | undefined

  async function runSteps(): Promise<void> {
    for (const step of steps) {
      if (stop.signal.aborted) return
      await step(parts, calls)
    }
  }

  function run(): Promise<void> {
    if (running !== undefined) {
      isAskedAgain = true
      return running
    }
    clearTimeout(timer)
    running = runSteps()
      .catch((error: unknown) => {
        if (stop.signal.aborted) return
        parts.log.error({ err: error }, 'image requests could not be watched')
      })
      .finally(() => {
        running = undefined
        if (stop.signal.aborted) return
        const delayMs = isAskedAgain ? 0 : intervalMs
        isAskedAgain = false
        timer = setTimeout(() => void run(), delayMs)
      })
    return running
  }

  const stopListening = parts.images.listen((requestId, percent) =>
    calls.begin(async () => {
      if (percent !== undefined) return await reportProgress(parts, requestId, percent)
      await makeDue(parts, requestId)
      void run()
    }),
  )
  const unsubscribe = parts.notifications.subscribe(slotsTopic, () => void run())
  void run()
  return {
    run,
    async close() {
      stop.abort()
      unsubscribe()
      stopListening()
      clearTimeout(timer)
      await running
      await work.settled()
    },
  }
}

/** Shows whoever waits for a request's picture how far it is. */
async function reportProgress(parts: SelfieParts, requestId: string, percent: number) {
  const match = { request_id: requestId, state: 'submitted' } as const
  const attempt = await findRow(parts.database, 'generation_attempts', match)
  if (attempt !== undefined) await writeStagePercent(parts, attempt.generation_id, percent)
}

/** Has a submitted request polled in the next round. */
async function makeDue(parts: SelfieParts, requestId: string): Promise<void> {
  await updateRows(parts.database, 'generation_attempts', {
    match: { request_id: requestId, state: 'submitted' },
    set: { next_look_at: parts.clock() },
  })
}

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
    // News may come before the request's id is stored, and is then told by a poll.
    if (status.state === 'working') {
      await writeStagePercent(parts, attempt.generation_id, status.percent ?? 0)
    }
  } catch (error) {
    // A poll that fails proves nothing about the request: it goes on until its time is over.
    if (!(error instanceof HostedError)) throw error
    parts.log.warn({ err: error, attemptId: attempt.id }, 'an image request could not be polled')
    await noteProgress(parts, attempt, attempt.queue_position ?? undefined)
  }
}

async function noteProgress(parts: SelfieParts, attempt: AttemptRow, position: number | undefined) {
  const next = fromNow(parts, parts.images.settings.pollIntervalMs)
  await updateRows(parts.database, 'generation_attempts', {
    match: { id: attempt.id, state: 'submitted' },
    set: { queue_position: position ?? null, next_look_at: next },
  })
}

const batchSize = 16
const cancelTimeoutMs = 5_000

/** Gives up requests that nobody answered in time, and those that got no slot. */
export async function giveUpOverdue(parts: SelfieParts, calls: VendorCalls): Promise<void> {
  const match = sql`
    state = any(${timedStates}) and deadline_at <= ${parts.clock()} limit ${batchSize}`
  const overdue = await findRows(parts.database, 'generation_attempts', match)
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
  const { rows: ended } = await sql<AttemptRow>`
    select attempt.*
    from generation_attempts as attempt
    join generations on generations.id = attempt.generation_id
    where attempt.state <> all (${finalStates}) and generations.state <> 'running'
    limit ${batchSize}`.execute(parts.database)
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
  await failAttempt(parts, attempt.id, { ...failure, maybeCharged: attempt.submitted_at !== null })
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
