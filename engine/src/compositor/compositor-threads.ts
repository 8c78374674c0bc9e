import { Worker } from 'node:worker_threads'
import { compileRuntime } from '../models/litert-runtime.ts'
import type {
  ThreadAnswer,
  ThreadEnvelope,
  ThreadRequest,
  ThreadResults,
} from './thread-messages.ts'

interface Waiting {
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

/** One worker thread. */
export interface CompositorThread {
  /** Asks the thread; rejects with the signal's reason when aborted. */
  ask<Kind extends ThreadRequest['kind']>(
    request: ThreadRequest & { kind: Kind },
    signal?: AbortSignal,
  ): Promise<ThreadResults[Kind]>
  close(): Promise<void>
}

/** Starts the threads; all share one compiled copy of the runtime. */
export async function startThreads(count: number): Promise<CompositorThread[]> {
  const runtime = await compileRuntime()
  return Array.from({ length: count }, () => keepThread(runtime))
}

/** A thread that is started again by the next request after it has died. */
function keepThread(runtime: WebAssembly.Module): CompositorThread {
  let running: RunningThread | undefined = startThread(runtime)
  let closed = false
  return {
    ask(request, signal) {
      if (closed) return Promise.reject(new Error('The compositor is closed'))
      if (!running || running.hasEnded()) running = startThread(runtime)
      return running.ask(request, signal)
    },
    async close() {
      closed = true
      await running?.close()
    },
  }
}

interface RunningThread extends CompositorThread {
  hasEnded(): boolean
}

function startThread(runtime: WebAssembly.Module): RunningThread {
  const worker = new Worker(new URL('./compositor-thread.ts', import.meta.url), {
    workerData: { runtime },
    // Pictures live outside of the heap; a small young generation keeps the process small.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  })
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let ended: Error | undefined
  const end = (error: Error): void => {
    ended ??= error
    for (const { reject } of waiting.values()) reject(ended)
    waiting.clear()
  }
  // An idle thread must not hold the process open.
  const settle = (id: number): Waiting | undefined => {
    const asked = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
    return asked
  }
  worker.unref()
  worker.on('message', (answer: ThreadAnswer) => {
    const asked = settle(answer.id)
    if ('error' in answer) asked?.reject(answer.error)
    else asked?.resolve(answer.result)
  })
  worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => end(new Error('The compositor thread ended')))
  return {
    hasEnded: () => ended !== undefined,
    ask(request, signal) {
      return new Promise((resolve, reject) => {
        if (ended) return reject(ended)
        if (signal?.aborted) return reject(signal.reason as Error)
        const id = ++lastId
        const cancelled = new Int32Array(new SharedArrayBuffer(4))
        const onAbort = (): void => {
          Atomics.store(cancelled, 0, 1)
          settle(id)
          reject(signal!.reason as Error)
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        const settled = <T>(then: (value: T) => void): ((value: T) => void) => {
          return (value) => {
            signal?.removeEventListener('abort', onAbort)
            then(value)
          }
        }
        waiting.set(id, {
          // The thread is this program's own and answers in the shape of `ThreadResults`.
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion
          resolve: settled((result) => resolve(result as ThreadResults[typeof request.kind])),
          reject: settled(reject),
        })
        worker.ref()
        worker.postMessage({ id, request, cancelled } satisfies ThreadEnvelope)
      })
    },
    async close() {
      end(new Error('The compositor is closed'))
      await worker.terminate()
    },
  }
}
