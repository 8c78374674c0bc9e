/** Work that an answer doesn't wait for. */
export type BackgroundWork = ReturnType<typeof createBackgroundWork>

/** @param onError is called with what failed */
export function createBackgroundWork(onError: (error: unknown) => void) {
  const running = new Set<Promise<void>>()
  return {
    run(act: () => Promise<void>): void {
      const work = act()
        .catch(onError)
        .finally(() => running.delete(work))
      running.add(work)
    },
    /** How much is under way. */
    count: () => running.size,
    /** Resolves when everything that was begun has ended. */
    async settled(): Promise<void> {
      await Promise.all(running)
    },
  }
}
