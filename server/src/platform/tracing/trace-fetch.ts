import { SpanKind } from '@opentelemetry/api'
import { inSpan } from './in-span.ts'

/**
 * `fetch` with a span for each call: method, host and status. Path and query stay out, as vendors
 * put ids and signatures there; the vendor gets no trace header.
 */
export function traceFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => {
    const { host } = new URL(input instanceof Request ? input.url : input)
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    const attributes = { 'http.request.method': method, 'server.address': host }
    return inSpan(`${method} ${host}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      const response = await fetch(input, init)
      span.setAttribute('http.response.status_code', response.status)
      return response
    })
  }
}
