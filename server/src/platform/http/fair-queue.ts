import { createCallQueue } from '@starside/engine/call-queue.ts'
import { AppError } from '../errors/app-error.ts'

export type FairQueue = ReturnType<typeof createFairQueue>

/** What is full now may be free again so soon. */
const retryAfterSeconds = 5

export interface FairQueueLimits {
  /** Tasks that run at the same time, in all and of one caller (1 unless it is given). */
  atOnceMax: number
  atOncePerCallerMax?: number
  /** Tasks that wait, in all and of one caller; any number unless it is given. */
  waitingMax?: number
  waitingPerCallerMax?: number
}

/** Runs costly tasks a few at a time, a line for each caller: none waits for all of another's. */
export function createFairQueue(limits: FairQueueLimits) {
  const { atOnceMax, atOncePerCallerMax = 1 } = limits
  const { waitingMax = Infinity, waitingPerCallerMax = Infinity } = limits
  const places = createCallQueue(atOnceMax)
  const callers = new Map<string, ReturnType<typeof openLine>>()
  const openLine = () => ({ line: createCallQueue(atOncePerCallerMax), tasks: 0 })
  let tasks = 0
  return {
    /**
     * Runs the task when a place is free, each caller's oldest first. Throws `too_many_requests` at once when
     * this caller has too many waiting, `unavailable` when everybody together has, and the signal's reason
     * when it aborts before the task has begun.
     */
    async run<Result>(
      caller: string,
      task: () => Promise<Result>,
      signal?: AbortSignal,
    ): Promise<Result> {
      signal?.throwIfAborted()
      const own = callers.get(caller) ?? openLine()
      if (own.tasks >= atOncePerCallerMax + waitingPerCallerMax) {
        throw new AppError('too_many_requests', { retryAfterSeconds })
      }
      if (tasks >= atOnceMax + waitingMax) throw new AppError('unavailable', { retryAfterSeconds })
      callers.set(caller, own)
      own.tasks += 1
      tasks += 1
      try {
        return await own.line.run(() => places.run(task, signal), signal)
      } finally {
        own.tasks -= 1
        tasks -= 1
        if (own.tasks === 0) callers.delete(caller)
      }
    },
  }
}
