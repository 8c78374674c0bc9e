import { createBackgroundWork } from '../../platform/background-work.ts'
import { findRow, updateRows } from '../../platform/db/rows.ts'
import { writeStagePercent } from '../generation-progress.ts'
import type { SelfieParts } from '../parts.ts'
import { slotsTopic } from './attempts.ts'
import { giveUpEnded, giveUpOverdue, pollAttempts } from './follow-attempts.ts'
import { grantSlots } from './grant-slots.ts'

/** Calls to vendors beside the rounds, so that a slow one holds up nobody else's slot. */
export interface VendorCalls {
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

/** Moves attempts on, a round at a time. */
interface AttemptWatcher {
  /** Does everything that is due, once. */
  run(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts the watcher of this node, which moves attempts on that wait for somebody else, without holding
 * a place of any queue: a round at each notification and from time to time.
 */
export function watchAttempts(parts: SelfieParts): AttemptWatcher {
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
