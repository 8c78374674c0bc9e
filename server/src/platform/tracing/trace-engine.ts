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
import { inSpan, tracer } from './in-span.ts'

/** The engine, with a span for each call and, under that of a selfie, one for each stage. */
export function traceEngine(engine: Engine): Engine {
  const methods: EngineMethods = engine
  const traced = mapMethods(
    (method) => (input, options) =>
      inSpan(
        nameOf(method),
        {},
        recordRefusal(() => methods[method](input, options)),
      ),
  )
  /** A call that makes a picture has a span for each of its stages. */
  const traceMaking =
    <Input, Output>(
      method: 'makeSelfie' | 'makeSheet',
      make: (input: Input, options: CallOptions) => Promise<Output>,
      providerOf: (output: Output) => string,
    ) =>
    (input: Input, options: CallOptions = {}) =>
      inSpan(nameOf(method), {}, async (span) => {
        const stages = openStages(options.onStage)
        try {
          const call = () => make(input, { ...options, onStage: stages.onStage })
          const made = await recordRefusal(call)(span)
          span.setAttribute('starside.provider', providerOf(made))
          return made
        } finally {
          stages.end()
        }
      })
  const makeSelfie: EngineMethods['makeSelfie'] = traceMaking(
    'makeSelfie',
    (input, options) => engine.makeSelfie(input, options),
    ({ provider }) => provider,
  )
  const makeSheet: EngineMethods['makeSheet'] = traceMaking(
    'makeSheet',
    (input, options) => engine.makeSheet(input, options),
    ({ best }) => best.provider,
  )
  return { ...engine, ...traced, makeSelfie, makeSheet }
}

/** `makeSelfie` is `engine make-selfie`. */
function nameOf(method: keyof EngineMethods): string {
  return `engine ${method.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`
}

/** A photo that is refused is an answer and no fault; its code says which. */
function recordRefusal<Result>(call: () => Promise<Result>): (span: Span) => Promise<Result> {
  return async (span) => {
    try {
      return await call()
    } catch (error) {
      if (error instanceof PhotoError) span.setAttribute('starside.refusal', error.code)
      throw error
    }
  }
}

/** The span of a stage ends where the next one begins. */
function openStages(onStage: CallOptions['onStage']) {
  let current: Span | undefined
  // Stages are reported by messages of the engine's process, which belong to no span.
  const selfie = context.active()
  return {
    onStage(stage: EngineStage) {
      current?.end()
      current = tracer().startSpan(`stage ${stage}`, {}, selfie)
      context.with(selfie, () => onStage?.(stage))
    },
    end: () => current?.end(),
  }
}
