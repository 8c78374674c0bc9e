import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import os from 'node:os'
import { createCallQueue } from '../call-queue.ts'

/** What the parent sends to a model's process. */
export interface ModelRequest {
  id: number
  /** What the model takes, of the engine's own making: mostly an upright JPEG or PNG. */
  picture: Uint8Array
}

/** What that process says. */
export type ModelReply<Answer> =
  | { type: 'ready' }
  | { type: 'memory'; residentBytes: number }
  | { type: 'answer'; id: number; answer: Answer }
  | { type: 'failure'; id: number; message: string }

export interface ModelProcessOptions {
  /** What errors call the model, as `the classifier`. */
  name: string
  /** The module to run, which calls `serveModel`; tests swap it. */
  processFile: URL
  /** Its arguments; never a secret, as every user of the machine can read them. */
  processArguments?: readonly string[] | undefined
  /** How long the process may take until it takes pictures. */
  startLimitMs?: number | undefined
  /** How long one picture may take. */
  timeLimitMs?: number | undefined
  /** Resident memory above which the process is stopped. */
  memoryLimitBytes?: number | undefined
}

/** A model in a process of its own. */
export interface ModelProcess<Answer> {
  /** Starts the process ahead of the first picture; rejects when it can't be. */
  start(): Promise<void>
  /** Judges one picture after the other. Rejects when the process is lost or `signal` aborts. */
  ask(picture: Uint8Array, signal?: AbortSignal): Promise<Answer>
  /** Of the process that runs now, if any. */
  readonly pid: number | undefined
  /** The most resident memory that a process of this model has reported. */
  readonly residentBytesMost: number
  close(): void
}

interface RunningChild<Answer> {
  process: ChildProcess
  ready: Promise<void>
  pending: Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>
  /** Ends it, for the reason given; what is pending rejects. */
  lose(why: string): void
}

interface ChildEvents<Answer> {
  /** Called once, when the process has ended or was given up. */
  onLost(child: RunningChild<Answer>): void
  onMemory(residentBytes: number): void
}

const mebibyte = 1024 ** 2
const stderrTailCharactersMax = 1_000
/** POSIX nice value: people's calls go first. */
const priority = 10

/** A process of bounded time and memory, without environment, started by need and after a loss. */
export function createModelProcess<Answer>(options: ModelProcessOptions): ModelProcess<Answer> {
  const { timeLimitMs = 10_000 } = options
  const queue = createCallQueue(1)
  let current: RunningChild<Answer> | undefined
  let residentBytesMost = 0
  let idLast = 0
  const running = (): RunningChild<Answer> => {
    current ??= openChild<Answer>(options, {
      onLost(lost) {
        if (current === lost) current = undefined
      },
      onMemory(residentBytes) {
        residentBytesMost = Math.max(residentBytesMost, residentBytes)
      },
    })
    return current
  }

  async function ask(picture: Uint8Array, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted()
    const child = running()
    await child.ready
    signal?.throwIfAborted()
    const id = ++idLast
    const answer = Promise.withResolvers<Answer>()
    child.pending.set(id, answer)
    const timeLimit = setTimeout(() => child.lose('took too long.'), timeLimitMs)
    const abandon = () => answer.reject(signal?.reason as Error)
    signal?.addEventListener('abort', abandon)
    child.process.send({ id, picture } satisfies ModelRequest, () => undefined)
    try {
      return await answer.promise
    } finally {
      child.pending.delete(id)
      clearTimeout(timeLimit)
      signal?.removeEventListener('abort', abandon)
    }
  }

  return {
    start: () => running().ready,
    ask: (picture, signal) => queue.run(() => ask(picture, signal), signal),
    get pid() {
      return current?.process.pid
    },
    get residentBytesMost() {
      return residentBytesMost
    },
    close() {
      current?.lose('was closed.')
    },
  }
}

function openChild<Answer>(
  options: ModelProcessOptions,
  { onLost, onMemory }: ChildEvents<Answer>,
): RunningChild<Answer> {
  const { name, startLimitMs = 30_000, memoryLimitBytes = 768 * mebibyte } = options
  const child = forkIsolated(options)
  const started = Promise.withResolvers<void>()
  started.promise.catch(() => undefined)
  const pending: RunningChild<Answer>['pending'] = new Map()
  let stderrTail = ''
  const lose = (why: string): void => {
    onLost(running)
    clearTimeout(startLimit)
    child.kill('SIGKILL')
    const error = new Error(`${name}'s process ${why} ${stderrTail}`.trim())
    started.reject(error)
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }
  const running: RunningChild<Answer> = { process: child, ready: started.promise, pending, lose }
  const startLimit = setTimeout(() => lose('did not start in time.'), startLimitMs)
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-stderrTailCharactersMax)
  })
  child.on('error', (error) => lose(`failed: ${error.message}`))
  child.on('close', (code, signal) => lose(`ended with ${signal ?? code}.`))
  child.on('message', (reply: ModelReply<Answer>) => {
    if (reply.type === 'ready') {
      clearTimeout(startLimit)
      started.resolve()
    } else if (reply.type === 'memory') {
      onMemory(reply.residentBytes)
      if (reply.residentBytes > memoryLimitBytes) lose('took too much memory.')
    } else if (reply.type === 'answer') pending.get(reply.id)?.resolve(reply.answer)
    else pending.get(reply.id)?.reject(new Error(`${name} failed: ${reply.message}`))
  })
  return running
}

function forkIsolated({ processFile, processArguments = [] }: ModelProcessOptions): ChildProcess {
  const child = fork(processFile, [...processArguments], {
    // No secret of the server's environment, no debugger port.
    env: {},
    execArgv: ['--max-old-space-size=256', '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  // It must not keep a server alive that has nothing else to do.
  child.unref()
  child.channel?.unref()
  if (child.stderr instanceof Socket) child.stderr.unref()
  try {
    if (child.pid !== undefined) os.setPriority(child.pid, priority)
  } catch {
    // Not allowed everywhere; it works at any priority.
  }
  return child
}
