import { context } from '@opentelemetry/api'
import type { Span } from '@opentelemetry/api'
import type { Engine, SelfieRequest } from '@starside/engine/engine.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { inSpan, tracer } from './in-span.ts'

/** The engine, with a span for each call and, under that of a selfie, one for each stage. */
export function traceEngine(engine: Engine): Engine {
  return {
    ...engine,
    normalise: (upload, options) =>
      inSpan(
        'engine normalise',
        {},
        tellRefusal(() => engine.normalise(upload, options)),
      ),
    inspect: (photo, options) => inSpan('engine inspect', {}, () => engine.inspect(photo, options)),
    toPng: (jpeg) => inSpan('engine to-png', {}, () => engine.toPng(jpeg)),
    makeSelfie: (request) =>
      inSpan('engine make-selfie', {}, async (span) => {
        const stages = openStages(request)
        try {
          const make = () => engine.makeSelfie({ ...request, onStage: stages.onStage })
          const selfie = await tellRefusal(make)(span)
          span.setAttribute('starside.provider', selfie.provider)
          return selfie
        } finally {
          stages.end()
        }
      }),
  }
}

/** A photo that is refused is an answer and no fault; its code says which. */
function tellRefusal<Result>(call: () => Promise<Result>): (span: Span) => Promise<Result> {
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
function openStages({ onStage }: SelfieRequest) {
  let current: Span | undefined
  // Stages are told by messages of the engine's process, which belong to no span.
  const selfie = context.active()
  const tell: NonNullable<SelfieRequest['onStage']> = (stage) => {
    current?.end()
    current = tracer().startSpan(`stage ${stage}`, {}, selfie)
    context.with(selfie, () => onStage?.(stage))
  }
  return { onStage: tell, end: () => current?.end() }
}
