/** Runs tasks a few at a time, in the order they came. */
export interface CallQueue {
  /** Runs the task when a slot is free; rejects, and never runs it, if the signal aborts before. */
  run<Result>(task: () => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** Rejects everything that still waits. */
  rejectWaiting(reason: Error): void
}

/** @param atOnceMax how many tasks run at the same time at most */
export function createCallQueue(atOnceMax: number): CallQueue {
  const waiting = new Set<{ start: () => void; reject: (reason: unknown) => void }>()
  let running = 0

  const startNext = (): void => {
    const [next] = waiting
    if (next === undefined || running >= atOnceMax) return
    waiting.delete(next)
    running++
    next.start()
  }

  const slot = async (signal: AbortSignal | undefined): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entry = { start: resolve, reject }
    const abandon = (): void => {
      if (waiting.delete(entry)) reject(signal?.reason)
    }
    waiting.add(entry)
    signal?.addEventListener('abort', abandon)
    startNext()
    try {
      await promise
    } finally {
      signal?.removeEventListener('abort', abandon)
    }
  }

  return {
    async run(task, signal) {
      signal?.throwIfAborted()
      await slot(signal)
      try {
        return await task()
      } finally {
        running--
        startNext()
      }
    },
    rejectWaiting(reason) {
      for (const entry of waiting) entry.reject(reason)
      waiting.clear()
    },
  }
}
