import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { EngineCrashedError } from './engine-crashed-error.ts'
import type { CrashReason } from './engine-crashed-error.ts'
import { fromFailure } from './engine-messages.ts'
import type { EngineStage } from './engine-calls.ts'
import type { EngineCall, EngineSettings, HostMessage, ProcessMessage } from './engine-messages.ts'
import type { AskStamp } from '@starside/provenance/time-stamp.ts'
import { allocatorSettings, compileCacheFolder, processFlags } from './process-settings.ts'

/** So much of the end of its standard error is kept for the operator. */
const stderrTailCharactersMax = 2_000
const closeGraceMs = 2_000

export interface EngineChildOptions {
  /** The module to run, which calls `serveEngine`. */
  processFile: URL
  startLimitMs: number
  /** Resident memory above which the process is stopped at once. */
  memoryLimitBytes: number
  /** Handed to the process as its first message, never by its environment or arguments. */
  settings: EngineSettings
  /** Asks a time-stamping authority for the process. */
  askStamp?: AskStamp | undefined
  /** Called once, when the process is gone for whatever reason. */
  onGone: (error: EngineCrashedError) => void
}

export interface ChildCallOptions {
  timeLimitMs: number
  signal?: AbortSignal | undefined
  onStage?: ((stage: EngineStage) => void) | undefined
}

interface PendingCall {
  resolve: (output: unknown) => void
  reject: (error: Error) => void
  onStage: ((stage: EngineStage) => void) | undefined
}

/** One forked engine process, from its start to its end. It ends by itself when this one does. */
export class EngineChild {
  /** Resolves when the process takes calls, rejects when it never will. */
  readonly ready: Promise<void>
  readonly #options: EngineChildOptions
  readonly #process: ChildProcess
  readonly #stderrTail: () => string
  readonly #started = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<void>()
  readonly #startLimit: NodeJS.Timeout
  readonly #pending = new Map<number, PendingCall>()
  #state: 'starting' | 'ready' | 'closing' | 'gone' = 'starting'
  #idLast = 0
  #residentBytes = 0

  constructor(options: EngineChildOptions) {
    this.#options = options
    this.ready = this.#started.promise
    // Without a waiting call a failed start would be an unhandled rejection.
    this.ready.catch(() => {})
    this.#startLimit = setTimeout(() => this.#stop('start'), options.startLimitMs)
    this.#process = forkProcess(options.processFile)
    this.#stderrTail = keepStderrTail(this.#process)
    this.#process.on('message', (message: ProcessMessage) => this.#handle(message))
    this.#process.on('close', (code, signal) => this.#end(`It ended with ${signal ?? code}.`))
    this.#send({ type: 'open', settings: options.settings })
    this.#process.on('error', (error) => {
      // Without a process id the spawn failed, and no 'close' will follow.
      if (this.#process.pid === undefined) this.#end(error.message)
    })
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** Resident memory as last reported; 0 before the first report. */
  get residentBytes(): number {
    return this.#residentBytes
  }

  /** Calls that were sent and not answered yet. */
  get callsUnderWay(): number {
    return this.#pending.size
  }

  /** Settles with the process's answer, also after an abort, which is only passed on. */
  async call(call: EngineCall, options: ChildCallOptions): Promise<unknown> {
    if (this.#state !== 'ready') throw new EngineCrashedError('exit')
    const { timeLimitMs, signal, onStage } = options
    const id = ++this.#idLast
    const answer = Promise.withResolvers<unknown>()
    this.#pending.set(id, { resolve: answer.resolve, reject: answer.reject, onStage })
    const passAbortOn = (): void => this.#send({ type: 'abort', id })
    const timeLimit = setTimeout(() => this.#stop('time_limit', { culprit: id }), timeLimitMs)
    signal?.addEventListener('abort', passAbortOn)
    this.#send({ type: 'call', id, ...call })
    try {
      return await answer.promise
    } finally {
      this.#pending.delete(id)
      clearTimeout(timeLimit)
      signal?.removeEventListener('abort', passAbortOn)
    }
  }

  /** Ends the process; calls under way reject. Resolves when it is gone. */
  async close(): Promise<void> {
    if (this.#pending.size > 0 || this.#state === 'starting') this.#stop('closed')
    if (this.#state !== 'gone') this.#state = 'closing'
    this.#send({ type: 'close' })
    const grace = setTimeout(() => this.#stop('closed'), closeGraceMs)
    await this.#ended.promise
    clearTimeout(grace)
  }

  #handle(message: ProcessMessage): void {
    switch (message.type) {
      case 'ready':
        clearTimeout(this.#startLimit)
        if (this.#state === 'starting') this.#state = 'ready'
        this.#started.resolve()
        break
      case 'memory':
        this.#residentBytes = message.residentBytes
        if (this.#residentBytes > this.#options.memoryLimitBytes) this.#stop('memory_limit')
        break
      case 'stage':
        this.#pending.get(message.id)?.onStage?.(message.stage)
        break
      case 'askStamp':
        void this.#askStamp(message.id, message.request)
        break
      case 'result':
        this.#pending.get(message.id)?.resolve(message.output)
        break
      case 'failure':
        this.#pending.get(message.id)?.reject(fromFailure(message.failure))
        break
    }
  }

  async #askStamp(id: number, request: Uint8Array): Promise<void> {
    const answer = await this.#options.askStamp?.(request).catch(() => undefined)
    this.#send({ type: 'stamp', id, answer })
  }

  #send(message: HostMessage): void {
    // A message that can't be sent means that the process is ending, which 'close' reports next.
    if (this.#process.connected) this.#process.send(message, () => {})
  }

  #end(details: string): void {
    const reasons = { starting: 'start', ready: 'exit', closing: 'closed', gone: 'exit' } as const
    this.#stop(reasons[this.#state], { details })
    this.#ended.resolve()
  }

  /**
   * @param about.culprit the call that the reason belongs to; the others only lost their process
   */
  #stop(reason: CrashReason, about: { culprit?: number; details?: string } = {}): void {
    if (this.#state === 'gone') return
    this.#state = 'gone'
    clearTimeout(this.#startLimit)
    this.#process.kill('SIGKILL')
    const { culprit, details = '' } = about
    const error = new EngineCrashedError(reason, `${details} ${this.#stderrTail()}`.trim())
    for (const [id, { reject }] of this.#pending) {
      reject(culprit === undefined || culprit === id ? error : new EngineCrashedError('exit'))
    }
    this.#pending.clear()
    this.#started.reject(error)
    this.#options.onGone(error)
  }
}

function forkProcess(file: URL): ChildProcess {
  return fork(file, [], {
    // Nothing is inherited: no secret of the server's environment, no debugger port.
    env: minimalEnvironment(process.env),
    execArgv: [...processFlags],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

const inherited = [
  'PATH',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'LANG',
  'TZ',
  'UV_THREADPOOL_SIZE',
  'NODE_COMPILE_CACHE',
  'NODE_DISABLE_COMPILE_CACHE',
]

/** What a process needs to run at all; everything else may hold a secret. */
export function minimalEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = inherited.flatMap((name) => {
    const value = environment[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    NODE_COMPILE_CACHE: compileCacheFolder,
    ...Object.fromEntries(kept),
    ...allocatorSettings,
  }
}

function keepStderrTail(child: ChildProcess): () => string {
  let tail = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-stderrTailCharactersMax)
  })
  return () => tail.trim()
}
