import { vi } from 'vitest'

type Target = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

/** What parts of the page have begun and not ended. */
export interface Leaving {
  /**
   * Listeners, intervals and observers that are still there, and questions that go on, one line each; a question
   * is a request that only reads.
   */
  left: () => string[]
  /** The questions that were asked, in order. */
  asked: string[]
}

/**
 * Watches what a part of the page begins: listeners of the window, the document and `others`, intervals, observers
 * of sizes, and questions to the server, of which those in `answers` are answered. The rest waits until it is
 * given up. Ends with `vi.restoreAllMocks` and `vi.unstubAllGlobals`.
 */
export function watchLeaving(
  answers: Record<string, object> = {},
  others: readonly EventTarget[] = [],
): Leaving {
  const heard = new Set<{ line: string; listener: unknown; signal: AbortSignal | undefined }>()
  const targets: readonly Target[] = [globalThis, document, ...others]
  for (const target of targets) {
    const [add, remove] = [target.addEventListener, target.removeEventListener]
    vi.spyOn(target, 'addEventListener').mockImplementation((type, listener, options) => {
      const signal = typeof options === 'object' ? options.signal : undefined
      heard.add({ line: `listens to ${type}`, listener, signal })
      add.call(target, type, listener, options)
    })
    vi.spyOn(target, 'removeEventListener').mockImplementation((type, listener, options) => {
      for (const one of heard) {
        if (one.listener === listener && one.line === `listens to ${type}`) heard.delete(one)
      }
      remove.call(target, type, listener, options)
    })
  }
  const running = new Set<unknown>()
  const [begin, end] = [setInterval, clearInterval]
  vi.stubGlobal('setInterval', (...given: Parameters<typeof setInterval>) => {
    const id = begin(...given)
    running.add(id)
    return id
  })
  vi.stubGlobal('clearInterval', (id: ReturnType<typeof setInterval>) => {
    running.delete(id)
    end(id)
  })
  const observing = new Set<object>()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {
        observing.add(this)
      }
      disconnect() {
        observing.delete(this)
      }
    },
  )
  const asked: string[] = []
  const open = new Map<string, AbortSignal | null | undefined>()
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', signal }: RequestInit = {}) => {
    const line = `${method} ${address}`
    asked.push(line)
    const answer = answers[line]
    if (answer) return Response.json({ success: true, ...answer })
    open.set(line, signal)
    return new Promise<Response>(() => {})
  })
  return {
    asked,
    left: () => [
      ...[...heard]
        // React's own, once for each document.
        .filter(({ line, signal }) => line !== 'listens to selectionchange' && !signal?.aborted)
        .map(({ line }) => line),
      ...Array.from(running, () => 'an interval'),
      ...Array.from(observing, () => 'an observer of sizes'),
      ...[...open].filter(([, signal]) => !signal?.aborted).map(([line]) => line),
    ],
  }
}
