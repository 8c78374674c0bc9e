import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  context,
  propagation,
  trace,
} from '@opentelemetry/api'
import type { Span } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { quietRoutes } from '../metrics/observe-requests.ts'
import { tracer } from './in-span.ts'

/**
 * One span a request, under the caller's where `believesCallers` (behind one's own proxy).
 * Attributes follow OpenTelemetry's conventions for HTTP, without addresses, queries and headers.
 */
export function traceRequests(app: FastifyInstance, options: { believesCallers: boolean }): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'other'
    if (quietRoutes.includes(route)) {
      done()
      return
    }
    const parent = options.believesCallers
      ? propagation.extract(ROOT_CONTEXT, request.headers)
      : ROOT_CONTEXT
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'starside.request.id': request.id,
    }
    const span = tracer().startSpan(
      `${request.method} ${route}`,
      { kind: SpanKind.SERVER, attributes },
      parent,
    )
    spans.set(request, span)
    context.with(trace.setSpan(parent, span), done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
}
