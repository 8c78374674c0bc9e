import { SpanKind, trace } from '@opentelemetry/api'
import type pg from 'pg'
import { asText, readObject } from '../http/read-object.ts'
import { markFailed, tracer } from './in-span.ts'

type Query = (...args: unknown[]) => unknown

/** A span for each statement under a span, without values, on connections opened from now on. */
export function traceStatements(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query
    client.query = ((...args: unknown[]) =>
      trace.getActiveSpan() === undefined
        ? query(...args)
        : queryInSpan(query, args)) as typeof client.query
  })
}

function queryInSpan(query: Query, args: unknown[]): unknown {
  const [statement] = args
  const text = asText(typeof statement === 'string' ? statement : readObject(statement)['text'])
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY'
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
  const span = tracer().startSpan(operation, { kind: SpanKind.CLIENT, attributes })
  const finish = (error?: unknown) => {
    if (error) markFailed(span, error)
    span.end()
  }
  const callback = args.at(-1)
  if (typeof callback === 'function') {
    return query(...args.slice(0, -1), (error: unknown, ...results: unknown[]) => {
      finish(error)
      ;(callback as Query)(error, ...results)
    })
  }
  const result = query(...args)
  if (result instanceof Promise) result.then(() => finish(), finish)
  else finish()
  return result
}
