import { AppError } from '../errors/app-error.ts'

export type FairQueue = ReturnType<typeof createFairQueue>

/** What is full now may be free again so soon. */
const retryAfterSeconds = 5

export interface FairQueueLimits {
  /** Tasks that run at the same time, in all and of one caller. */
  atOnceMax: number
  atOncePerCallerMax: number
  waitingMax: number
  waitingPerCallerMax: number
}

/** Runs costly work a few pieces at a time, so that nobody's work waits for all of another's. */
export function createFairQueue(options: FairQueueLimits) {
  /** Callers with what starts their waiting tasks, the next one first. */
  const waiting = new Map<string, (() => void)[]>()
  const runningOf = new Map<string, number>()
  let running = 0
  let waitingCount = 0

  function startNext(): void {
    for (const [caller, tasks] of waiting) {
      if (running >= options.atOnceMax) return
      const ofCaller = runningOf.get(caller) ?? 0
      if (ofCaller >= options.atOncePerCallerMax) continue
      const next = tasks.shift()
      waiting.delete(caller)
      if (tasks.length > 0) waiting.set(caller, tasks)
      waitingCount -= 1
      running += 1
      runningOf.set(caller, ofCaller + 1)
      next?.()
    }
  }

  function finish(caller: string): void {
    running -= 1
    const left = (runningOf.get(caller) ?? 1) - 1
    if (left === 0) runningOf.delete(caller)
    else runningOf.set(caller, left)
    const tasks = waiting.get(caller)
    // Who was served last waits behind all others.
    if (waiting.delete(caller) && tasks !== undefined) waiting.set(caller, tasks)
    startNext()
  }

  async function waitForPlace(caller: string, signal: AbortSignal | undefined): Promise<void> {
    const tasks = waiting.get(caller) ?? []
    if (tasks.length >= options.waitingPerCallerMax) {
      throw new AppError('too_many_requests', { retryAfterSeconds })
    }
    if (waitingCount >= options.waitingMax) throw new AppError('unavailable', { retryAfterSeconds })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const abandon = () => {
      const index = tasks.indexOf(resolve)
      if (index === -1) return
      tasks.splice(index, 1)
      waitingCount -= 1
      if (tasks.length === 0) waiting.delete(caller)
      reject(signal?.reason)
    }
    waiting.set(caller, tasks)
    tasks.push(resolve)
    waitingCount += 1
    signal?.addEventListener('abort', abandon)
    startNext()
    try {
      await promise
    } finally {
      signal?.removeEventListener('abort', abandon)
    }
  }

  return {
    /**
     * Runs the task when a place is free: callers come one after the other, each with the oldest
     * task of their own. Throws `too_many_requests` at once when this caller has too many waiting,
     * `unavailable` when everybody together has, and the signal's reason when it aborts before the
     * task has begun.
     */
    async run<Result>(
      caller: string,
      task: () => Promise<Result>,
      signal?: AbortSignal,
    ): Promise<Result> {
      signal?.throwIfAborted()
      await waitForPlace(caller, signal)
      try {
        return await task()
      } finally {
        finish(caller)
      }
    },
  }
}
