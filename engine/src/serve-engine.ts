import type {
  CallOptions,
  Engine,
  EngineMethod,
  EngineMethods,
  EngineOutput,
} from './engine-calls.ts'
import { toFailure } from './engine-messages.ts'
import type { EngineCall, EngineSettings, HostMessage, ProcessMessage } from './engine-messages.ts'
import type { AskStamp } from '@starside/provenance/time-stamp.ts'

const memoryReportIntervalMs = 250

/** Makes the engine with the settings that the host sends at the start. */
export type OpenEngine = (settings: EngineSettings, askStamp: AskStamp) => Engine | Promise<Engine>

/** Serves an engine to the process that forked it until the channel closes, then exits at once. */
export function serveEngine(openEngine: OpenEngine): void {
  let opened: Engine | undefined
  const calls = new Map<number, AbortController>()
  const stamps = new Map<number, (answer: Uint8Array | undefined) => void>()
  let stampIdLast = 0

  const askStamp: AskStamp = (request) => {
    const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>()
    const id = ++stampIdLast
    stamps.set(id, resolve)
    send({ type: 'askStamp', id, request })
    return promise
  }

  const open = async (settings: EngineSettings): Promise<void> => {
    try {
      opened = await openEngine(settings, askStamp)
      send({ type: 'ready' })
    } catch (error) {
      // The host passes the end of standard error on to the operator.
      process.stderr.write(error instanceof Error ? error.message : String(error), () =>
        process.exit(1),
      )
    }
  }

  const answer = async (id: number, call: EngineCall): Promise<void> => {
    const controller = new AbortController()
    calls.set(id, controller)
    try {
      if (opened === undefined) throw new Error('called before it was opened')
      const output = await callMethod(opened, call, {
        signal: controller.signal,
        onStage: (stage) => send({ type: 'stage', id, stage }),
      })
      send({ type: 'result', id, output })
    } catch (error) {
      send({ type: 'failure', id, failure: toFailure(error) })
    } finally {
      calls.delete(id)
    }
  }

  process.on('message', (message: HostMessage) => {
    if (message.type === 'open') void open(message.settings)
    else if (message.type === 'call') void answer(message.id, message)
    else if (message.type === 'abort') calls.get(message.id)?.abort()
    else if (message.type === 'stamp') {
      stamps.get(message.id)?.(message.answer)
      stamps.delete(message.id)
    } else process.disconnect()
  })
  process.on('disconnect', () => process.exit(0))
  // A terminal's Ctrl-C and a service manager's stop reach every process of the group; the host
  // decides when this one ends, so that pictures under way can be finished.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  setInterval(() => {
    send({ type: 'memory', residentBytes: process.memoryUsage.rss() })
  }, memoryReportIntervalMs)
}

/** Calls the method that the message names; its input belongs to it. */
function callMethod<Method extends EngineMethod>(
  engine: EngineMethods,
  call: EngineCall<Method>,
  options: CallOptions,
): Promise<EngineOutput<Method>> {
  return engine[call.method](call.input, options)
}

function send(message: ProcessMessage): void {
  // The channel is closed when the host has just died.
  if (process.connected) process.send?.(message)
}
