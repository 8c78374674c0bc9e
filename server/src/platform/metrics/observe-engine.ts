import { context } from '@opentelemetry/api'
import type { Span } from '@opentelemetry/api'
import { mapMethods } from '@starside/engine/call-settings.ts'
import type {
  CallOptions,
  Engine,
  EngineMethods,
  EngineStage,
} from '@starside/engine/engine-calls.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { inSpan, tracer } from '../tracing/in-span.ts'
import type { Metrics } from './metrics.ts'

/** The engine with time and outcome of calls counted, a span for each and for a selfie's stages. */
export function observeEngine(
  engine: Engine,
  metrics: Metrics,
  now: () => number = () => performance.now(),
): Engine {
  const secondsSince = (startedAt: number) => (now() - startedAt) / 1_000
  const methods: EngineMethods = engine
  const observed = mapMethods((method) => (input, options) => {
    const startedAt = now()
    const count = (outcome: Outcome) => {
      // What a hosted model has made is counted by its attempt.
      if (method === 'finishProviderPicture') return
      metrics.photoReadings.observe({ act: method, outcome }, secondsSince(startedAt))
    }
    return observeCall(method, () => methods[method](input, options), count, options?.signal)
  })
  /** A call that makes a picture: its stages are timed too. */
  const observeMaking =
    <Input, Output>(
      method: 'makeSelfie' | 'makeSheet',
      make: (input: Input, options: CallOptions) => Promise<Output>,
      providerOf: (output: Output) => string,
    ) =>
    (input: Input, options: CallOptions = {}): Promise<Output> => {
      const startedAt = now()
      let provider = 'unknown'
      const call = async (span: Span) => {
        const stages = watchStages(options.onStage, now)
        try {
          const made = await make(input, { ...options, onStage: stages.onStage })
          provider = providerOf(made)
          span.setAttribute('starside.provider', provider)
          for (const { stage, ms } of stages.end()) {
            metrics.stages.observe({ stage, provider }, ms / 1_000)
          }
          return made
        } finally {
          stages.end()
        }
      }
      const count = (outcome: Outcome) =>
        metrics.generations.observe({ provider, outcome }, secondsSince(startedAt))
      return observeCall(method, call, count, options.signal)
    }
  const makeSelfie: EngineMethods['makeSelfie'] = observeMaking(
    'makeSelfie',
    (input, options) => engine.makeSelfie(input, options),
    ({ provider }) => provider,
  )
  const countKept = (act: 'admit' | 'makeSheet', photos: number, kept: number) => {
    metrics.keptReadings.inc({ act, result: 'kept' }, kept)
    metrics.keptReadings.inc({ act, result: 'read' }, photos - kept)
  }
  const admit: EngineMethods['admit'] = async (input, options) => {
    const admitted = await observed.admit(input, options)
    countKept('admit', 1, admitted.wasKept ? 1 : 0)
    return admitted
  }
  const makeSheet: EngineMethods['makeSheet'] = observeMaking(
    'makeSheet',
    async (input, options) => {
      const sheet = await engine.makeSheet(input, options)
      countKept('makeSheet', 1 + input.stars.length, sheet.keptCount ?? 0)
      return sheet
    },
    ({ best }) => best.provider,
  )
  return { ...engine, ...observed, admit, makeSelfie, makeSheet }
}

type Outcome = 'done' | 'refused' | 'failed' | 'stopped'

/** Runs a call in a span, `engine make-selfie` for `makeSelfie`, and counts how it ended. */
function observeCall<Result>(
  method: keyof EngineMethods,
  call: (span: Span) => Promise<Result>,
  count: (outcome: Outcome) => void,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const name = method.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)
  return inSpan(`engine ${name}`, {}, async (span) => {
    try {
      const result = await call(span)
      count('done')
      return result
    } catch (error) {
      // A photo that is refused is an answer and no fault; its code says which.
      if (error instanceof PhotoError) span.setAttribute('starside.refusal', error.code)
      count(error instanceof PhotoError ? 'refused' : signal?.aborted ? 'stopped' : 'failed')
      throw error
    }
  })
}

/** Passes stages on, each in a span that ends where the next one begins, and remembers how long each took. */
function watchStages(onStage: CallOptions['onStage'], now: () => number) {
  const done: { stage: EngineStage; ms: number }[] = []
  let current: { stage: EngineStage; since: number; span: Span } | undefined
  // Stages are reported by messages of the engine's process, which belong to no span.
  const selfie = context.active()
  const end = () => {
    if (current === undefined) return done
    done.push({ stage: current.stage, ms: now() - current.since })
    current.span.end()
    current = undefined
    return done
  }
  return {
    end,
    onStage(stage: EngineStage) {
      end()
      current = { stage, since: now(), span: tracer().startSpan(`stage ${stage}`, {}, selfie) }
      context.with(selfie, () => onStage?.(stage))
    },
  }
}
