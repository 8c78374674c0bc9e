import { queryText } from '../http/parse-input.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics } from './metrics.ts'

/** Probes ask every few seconds; their lines would drown the others. */
export const quietRoutes = ['/api/health/live', '/api/health/ready']

/** Counts and logs every answer, with its ids; by the route's pattern, so ids make no series. */
export function observeRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = routeOf(request)
    const status = reply.statusCode
    const ms = Math.round(reply.elapsedTime * 10) / 10
    // The length of a stream says nothing about speed.
    if (!route.endsWith('/events')) {
      metrics.requests.observe({ method, route, status: String(status) }, ms / 1_000)
    }
    done()
    if (quietRoutes.includes(route) && status < 400) return
    const line = { method, route, status, ms, userId: request.userId }
    if (status >= 500) request.log.warn(line, 'request failed')
    else request.log.info(line, 'request')
  })
}

/** The pattern of the route, with the act that the specification puts into the query. */
export function routeOf(request: FastifyRequest): string {
  const pattern = request.routeOptions.url
  if (pattern === undefined || pattern.includes('*')) return 'other'
  const action = queryText(request, 'action') ?? ''
  const isAction = /^[a-z-]{1,30}$/.test(action)
  const takesAction = ['/api/auth', '/api/user', '/api/ai'].includes(pattern)
  // A made-up action would let anybody grow the list of series.
  return takesAction && isAction && request.actionIsKnown === true
    ? `${pattern}?action=${action}`
    : pattern
}
