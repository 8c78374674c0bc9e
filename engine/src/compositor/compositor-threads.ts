import { MessageChannel, Worker } from 'node:worker_threads'
import { compileRuntime } from '../models/litert-runtime.ts'
import { movedWith } from './layers/empty-background.ts'
import type { ThreadStart } from './compositor-thread.ts'
import type {
  TaskKind,
  ThreadAnswer,
  ThreadEnvelope,
  ThreadRequest,
  ThreadResults,
} from './thread-calls.ts'

/** One worker thread. */
export interface CompositorThread {
  /** Asks the thread; rejects with the signal's reason when aborted. */
  ask<Kind extends TaskKind>(
    request: ThreadRequest & { kind: Kind },
    signal?: AbortSignal,
  ): Promise<ThreadResults[Kind]>
  close(): Promise<void>
}

/** A thread that runs on demand ends after so long without work, and its memory is given back. */
const idleLimitMs = 60_000

/** Starts threads on one compiled runtime, and `onDemand` more that run only while needed. */
export async function startThreads(count: number, onDemand = 0): Promise<CompositorThread[]> {
  const compiling = compileRuntime()
  // They load their code meanwhile, which takes longer.
  const started = Array.from({ length: count }, startThread)
  try {
    const runtime = await compiling
    const { port1, port2 } = new MessageChannel()
    const peers = count === 2 ? [port1, port2] : []
    for (const [n, thread] of started.entries()) thread.begin({ runtime, peer: peers[n] })
    return Array.from({ length: count + onDemand }, (_, n) =>
      createRestartingThread(runtime, started[n]),
    )
  } catch (error) {
    await Promise.all(started.map((thread) => thread.close()))
    throw error
  }
}

/** A worker that the next request starts where none runs; `first` undefined: runs on demand. */
function createRestartingThread(
  runtime: WebAssembly.Module,
  first: RunningThread | undefined,
): CompositorThread {
  const isOnDemand = first === undefined
  let running = first
  let asked = 0
  let idle: NodeJS.Timeout | undefined
  let closed = false
  return {
    async ask(request, signal) {
      if (closed) throw new Error('The compositor is closed')
      if (!running || running.hasEnded()) {
        running = startThread()
        running.begin({ runtime, peer: undefined })
      }
      clearTimeout(idle)
      asked++
      try {
        return await running.ask(request, signal)
      } finally {
        asked--
        if (isOnDemand && asked === 0) idle = setTimeout(() => void running?.close(), idleLimitMs)
        idle?.unref()
      }
    },
    async close() {
      closed = true
      clearTimeout(idle)
      await running?.close()
    },
  }
}

interface RunningThread extends CompositorThread {
  /** Before anything is asked. */
  begin(start: ThreadStart): void
  hasEnded(): boolean
}

interface PendingRequest {
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

function startThread(): RunningThread {
  const worker = new Worker(new URL('./compositor-thread.ts', import.meta.url), {
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
    begin: (start) => worker.postMessage(start, start.peer ? [start.peer] : []),
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
      const moved = 'behind' in request ? movedWith(request.behind) : []
      worker.postMessage({ id, request, cancelled } satisfies ThreadEnvelope, moved)
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
