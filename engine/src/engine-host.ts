import os from 'node:os'
import { createCallQueue } from './call-queue.ts'
import { callSettings, mapMethods } from './call-settings.ts'
import type {
  CallOptions,
  Engine,
  EngineInput,
  EngineMethod,
  EngineOutput,
} from './engine-calls.ts'
import { EngineChild } from './engine-child.ts'
import { orAborted } from './or-aborted.ts'
import type { ProvenanceSettings } from '@starside/provenance/open-provenance.ts'
import type { AskStamp } from '@starside/provenance/time-stamp.ts'
import { EngineCrashedError } from './engine-crashed-error.ts'

export interface EngineHostOptions {
  /** How long one call may run once it has a slot, before its process is stopped. */
  timeLimitsMs?: Partial<Record<EngineMethod, number>> | undefined
  /** How long the process may take until it takes calls. */
  startLimitMs?: number | undefined
  /** Resident memory above which the process is stopped; 3 GiB or 3/4 of the machine's. */
  memoryLimitBytes?: number | undefined
  /** Pictures that are made at the same time; further ones wait in order. */
  generationsMax?: number | undefined
  /** Uploads that are read, inspected or converted at the same time, beside the pictures. */
  readingsMax?: number | undefined
  /** How much the process gives way to others (POSIX nice value, 0 to 19); by default 10. */
  niceness?: number | undefined
  /** How pictures are marked and signed beyond their metadata; by default not at all. */
  provenance?: ProvenanceSettings | undefined
  /** Asks a time-stamping authority, where `provenance` says that there is one. */
  askStamp?: AskStamp | undefined
  /** Called for every process that was lost, for the log. */
  onCrash?: ((error: EngineCrashedError) => void) | undefined
  /** The module to run as the engine's process; tests swap it. */
  processFile?: URL | undefined
}

/** An engine in a process of its own. */
export interface EngineHost extends Engine {
  /** Starts the process ahead of the first call. */
  start(): Promise<void>
  /** Of the process that runs now, if any. */
  readonly pid: number | undefined
}

const gibibyte = 1024 ** 3
/** An idle process that kept more than this share of its limit is replaced by a fresh one. */
const replaceShare = 0.6

/**
 * An engine whose work is done in a child process at low priority: a photo that crashes, stalls or
 * bloats a decoder costs that process and the calls in it, never the server. The process starts
 * with the first call, is started again after a loss, and ends with this process.
 *
 * Calls that were under way when the process was lost reject with `EngineCrashedError` and may be
 * tried again; calls that still wait for a slot go to the next process. `PhotoError` comes
 * through intact.
 */
export function createEngineHost(options: EngineHostOptions = {}): EngineHost {
  const memoryLimitBytes = options.memoryLimitBytes ?? Math.min(3 * gibibyte, 0.75 * os.totalmem())
  const queues = {
    pictures: createCallQueue(options.generationsMax ?? 2),
    readings: createCallQueue(options.readingsMax ?? 4),
  }
  const children = createChildSupervisor(options, memoryLimitBytes)

  async function call<Method extends EngineMethod>(
    method: Method,
    input: EngineInput<Method>,
    { signal, onStage }: CallOptions = {},
  ): Promise<EngineOutput<Method>> {
    if (children.isClosed()) throw new EngineCrashedError('closed')
    const settings = callSettings[method]
    const timeLimitMs = options.timeLimitsMs?.[method] ?? settings.timeLimitMs
    const answered = queues[settings.queue].run(async () => {
      const child = await children.ready()
      signal?.throwIfAborted()
      const output = await child.call({ method, input }, { timeLimitMs, signal, onStage })
      children.replaceIfOversized(child)
      return output
    }, signal)
    // The process is this program's own and answers in the shape of `EngineOutput`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (await orAborted(answered, signal)) as EngineOutput<Method>
  }

  return {
    ...mapMethods((method) => (input, callOptions) => call(method, input, callOptions)),
    async forgetPhotos(input) {
      // Where no process runs, nothing is kept.
      if (children.current()) await call('forgetPhotos', input)
    },
    async start() {
      await children.ready()
    },
    get pid() {
      return children.current()?.pid
    },
    async close() {
      const closed = children.close()
      const reason = new EngineCrashedError('closed')
      queues.pictures.rejectWaiting(reason)
      queues.readings.rejectWaiting(reason)
      await closed
    },
  }
}

/** Keeps one engine process, and a fresh one after a loss. */
interface ChildSupervisor {
  /** The process that runs now, started if there is none. */
  ready(): Promise<EngineChild>
  current(): EngineChild | undefined
  /** Ends an idle process that kept much memory; the next call starts a fresh one. */
  replaceIfOversized(child: EngineChild): void
  isClosed(): boolean
  close(): Promise<void>
}

function createChildSupervisor(
  options: EngineHostOptions,
  memoryLimitBytes: number,
): ChildSupervisor {
  let current: EngineChild | undefined
  let isClosed = false

  const startChild = (): EngineChild => {
    const child = new EngineChild({
      processFile: options.processFile ?? new URL('engine-process.ts', import.meta.url),
      startLimitMs: options.startLimitMs ?? 60_000,
      settings: { provenance: options.provenance ?? {}, niceness: options.niceness ?? 10 },
      askStamp: options.askStamp,
      memoryLimitBytes,
      onGone(error) {
        if (current === child) current = undefined
        if (!isClosed && error.reason !== 'closed') options.onCrash?.(error)
      },
    })
    return child
  }

  return {
    async ready() {
      for (;;) {
        if (isClosed) throw new EngineCrashedError('closed')
        const child = (current ??= startChild())
        await child.ready
        // It may have been lost or replaced while this call waited for it.
        if (child === current) return child
      }
    },
    current: () => current,
    replaceIfOversized(child) {
      const isOversized = child.residentBytes > replaceShare * memoryLimitBytes
      if (!isOversized || child.callsUnderWay > 0 || current !== child) return
      current = undefined
      void child.close()
    },
    isClosed: () => isClosed,
    async close() {
      isClosed = true
      await current?.close()
    },
  }
}
