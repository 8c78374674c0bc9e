/** Work that an answer doesn't wait for. */
export interface BackgroundWork {
  run(act: () => Promise<void>): void
  /** How much is under way. */
  count(): number
  /** Resolves when everything that was begun has ended. */
  settled(): Promise<void>
}

/** @param onError is called with what failed */
export function createBackgroundWork(onError: (error: unknown) => void): BackgroundWork {
  const running = new Set<Promise<void>>()
  return {
    run(act) {
      const work = act()
        .catch(onError)
        .finally(() => running.delete(work))
      running.add(work)
    },
    count: () => running.size,
    async settled() {
      await Promise.all(running)
    },
  }
}
