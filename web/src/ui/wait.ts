/** Waits so long; rejects with the signal's reason as soon as that aborts. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
