import { SpanStatusCode, trace } from '@opentelemetry/api'
import type { Span, SpanOptions, Tracer } from '@opentelemetry/api'
import { codeOf } from '../errors/code-of.ts'

/** The program's tracer: no-op until tracing was started. */
export function tracer(): Tracer {
  return trace.getTracer('starside')
}

/** Runs `act` in a span under the current one, and ends it with the outcome. */
export function inSpan<Result>(
  name: string,
  options: SpanOptions,
  act: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracer().startActiveSpan(name, options, async (span) => {
    try {
      return await act(span)
    } catch (error) {
      markFailed(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** Marks a span as failed by its error's kind alone: a message may hold what a person typed. */
export function markFailed(span: Span, error: unknown): void {
  span.setAttribute('error.type', kindOf(error))
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = codeOf(error)
  return /^[\w-]{1,40}$/.test(code) ? code : error.name
}
