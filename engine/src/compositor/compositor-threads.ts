import { Worker } from 'node:worker_threads'
import { compileRuntime } from '../models/litert-runtime.ts'
import type {
  ThreadAnswer,
  ThreadEnvelope,
  ThreadRequest,
  ThreadResults,
} from './thread-messages.ts'

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
  return Array.from({ length: count }, () => createRestartingThread(runtime))
}

/** A worker that is started again by the next request after it has died. */
function createRestartingThread(runtime: WebAssembly.Module): CompositorThread {
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

interface PendingRequest {
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

function startThread(runtime: WebAssembly.Module): RunningThread {
  const worker = new Worker(new URL('./compositor-thread.ts', import.meta.url), {
    workerData: { runtime },
    // Pictures live outside of the heap; a small young generation keeps the process small.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  })
  const pending = new Map<number, PendingRequest>()
  let lastId = 0
  let ended: Error | undefined
  const end = (error: Error): void => {
    ended ??= error
    for (const { reject } of pending.values()) reject(ended)
    pending.clear()
  }
  // An idle thread must not hold the process open.
  const takePending = (id: number): PendingRequest | undefined => {
    const request = pending.get(id)
    pending.delete(id)
    if (pending.size === 0) worker.unref()
    return request
  }
  worker.unref()
  worker.on('message', (answer: ThreadAnswer) => {
    const request = takePending(answer.id)
    if ('error' in answer) request?.reject(answer.error)
    else request?.resolve(answer.result)
  })
  worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => end(new Error('The compositor thread ended')))
  return {
    hasEnded: () => ended !== undefined,
    async ask(request, signal) {
      if (ended) throw ended
      signal?.throwIfAborted()
      const id = ++lastId
      const cancelled = new Int32Array(new SharedArrayBuffer(4))
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const abort = (): void => {
        Atomics.store(cancelled, 0, 1)
        takePending(id)?.reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort)
      pending.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage({ id, request, cancelled } satisfies ThreadEnvelope)
      try {
        // The thread is this program's own and answers in the shape of `ThreadResults`.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        return (await promise) as ThreadResults[typeof request.kind]
      } finally {
        signal?.removeEventListener('abort', abort)
      }
    },
    async close() {
      end(new Error('The compositor is closed'))
      await worker.terminate()
    },
  }
}
