/** Work on keys in this process: so much at once, and for each key one after the other. */
export interface KeyedQueue<Key> {
  /** Asks for a run; a key that waits already waits once. */
  add(key: Key): void
  whenIdle(): Promise<void>
  /** Begins nothing more, and resolves when what runs has ended. */
  stop(): Promise<void>
}

/**
 * @param options.nameOf the same for equal keys
 * @param options.run takes one key; what it throws goes to `onError`
 */
export function createKeyedQueue<Key>(options: {
  concurrency: number
  nameOf: (key: Key) => string
  run: (key: Key) => Promise<void>
  onError: (error: unknown) => void
}): KeyedQueue<Key> {
  const running = new Map<string, Promise<void>>()
  const waiting = new Map<string, Key>()
  let isStopped = false

  function startNext(): void {
    for (const [name, key] of waiting) {
      if (running.size >= options.concurrency || isStopped) return
      if (running.has(name)) continue
      waiting.delete(name)
      const work = options
        .run(key)
        .catch(options.onError)
        .finally(() => {
          running.delete(name)
          startNext()
        })
      running.set(name, work)
    }
  }

  return {
    add(key) {
      waiting.set(options.nameOf(key), key)
      startNext()
    },
    async whenIdle() {
      while (running.size > 0) await Promise.all(running.values())
    },
    async stop() {
      isStopped = true
      waiting.clear()
      await Promise.all(running.values())
    },
  }
}
