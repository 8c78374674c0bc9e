import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import os from 'node:os'
import { createCallQueue } from '@starside/engine/call-queue.ts'
import type { NsfwReply, NsfwRequest } from './nsfw-messages.ts'
import type { NsfwScores } from './nsfw-scores.ts'

export interface NsfwProcessOptions {
  /** The module to run; tests swap it. */
  processFile?: URL
  /** How long the process may take until it takes pictures. */
  startLimitMs?: number
  /** How long one picture may take. */
  timeLimitMs?: number
  /** Resident memory above which the process is stopped. */
  memoryLimitBytes?: number
}

/** A classifier in a process of its own. */
export interface NsfwProcess {
  /** Starts the process ahead of the first picture; rejects when it can't be. */
  start(): Promise<void>
  /** Scores one picture after the other. Rejects when the process is lost or `signal` aborts. */
  score(picture: Uint8Array, signal: AbortSignal): Promise<NsfwScores>
  /** Of the process that runs now, if any. */
  readonly pid: number | undefined
  close(): void
}

interface RunningChild {
  process: ChildProcess
  ready: Promise<void>
  pending: Map<number, { resolve(scores: NsfwScores): void; reject(error: Error): void }>
  /** Ends it, for the reason given; what is pending rejects. */
  lose(why: string): void
}

const mebibyte = 1024 ** 2
const stderrTailCharactersMax = 1_000
/** POSIX nice value: people's calls go first. */
const priority = 10

/**
 * The process starts with the first picture and again after a loss, which costs only the pictures
 * in it. It has no environment, a bound on time and memory, and ends with this process.
 */
export function createNsfwProcess(options: NsfwProcessOptions = {}): NsfwProcess {
  const { timeLimitMs = 10_000 } = options
  const queue = createCallQueue(1)
  let current: RunningChild | undefined
  let idLast = 0
  const running = (): RunningChild => {
    current ??= openChild(options, (lost) => {
      if (current === lost) current = undefined
    })
    return current
  }

  async function score(picture: Uint8Array, signal: AbortSignal): Promise<NsfwScores> {
    signal.throwIfAborted()
    const child = running()
    await child.ready
    const id = ++idLast
    const answer = Promise.withResolvers<NsfwScores>()
    child.pending.set(id, answer)
    const timeLimit = setTimeout(() => child.lose('took too long.'), timeLimitMs)
    const abandon = () => answer.reject(signal.reason as Error)
    signal.addEventListener('abort', abandon)
    child.process.send({ id, picture } satisfies NsfwRequest, () => undefined)
    try {
      return await answer.promise
    } finally {
      child.pending.delete(id)
      clearTimeout(timeLimit)
      signal.removeEventListener('abort', abandon)
    }
  }

  return {
    start: () => running().ready,
    score: (picture, signal) => queue.run(() => score(picture, signal), signal),
    get pid() {
      return current?.process.pid
    },
    close() {
      current?.lose('was closed.')
    },
  }
}

/** @param onLost is called once, when the process has ended or was given up */
function openChild(
  options: NsfwProcessOptions,
  onLost: (child: RunningChild) => void,
): RunningChild {
  const { processFile = new URL('nsfw-child.ts', import.meta.url), startLimitMs = 30_000 } = options
  const { memoryLimitBytes = 768 * mebibyte } = options
  const child = forkIsolated(processFile)
  const started = Promise.withResolvers<void>()
  started.promise.catch(() => undefined)
  const pending: RunningChild['pending'] = new Map()
  let stderrTail = ''
  const lose = (why: string): void => {
    onLost(running)
    clearTimeout(startLimit)
    child.kill('SIGKILL')
    const error = new Error(`the classifier's process ${why} ${stderrTail}`.trim())
    started.reject(error)
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }
  const running: RunningChild = { process: child, ready: started.promise, pending, lose }
  const startLimit = setTimeout(() => lose('did not start in time.'), startLimitMs)
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-stderrTailCharactersMax)
  })
  child.on('error', (error) => lose(`failed: ${error.message}`))
  child.on('close', (code, signal) => lose(`ended with ${signal ?? code}.`))
  child.on('message', (reply: NsfwReply) => {
    if (reply.type === 'ready') {
      clearTimeout(startLimit)
      started.resolve()
    } else if (reply.type === 'memory') {
      if (reply.residentBytes > memoryLimitBytes) lose('took too much memory.')
    } else if (reply.type === 'scores') pending.get(reply.id)?.resolve(reply.scores)
    else pending.get(reply.id)?.reject(new Error(`the classifier failed: ${reply.message}`))
  })
  return running
}

function forkIsolated(file: URL): ChildProcess {
  const child = fork(file, [], {
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
