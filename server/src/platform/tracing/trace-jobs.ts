import { ROOT_CONTEXT, SpanKind, context, propagation } from '@opentelemetry/api'
import { readObject } from '../http/read-object.ts'
import type { JobQueue } from '../jobs/job-queue.ts'
import { inSpan } from './in-span.ts'

/** The queue, whose jobs carry their request's trace (`traceparent` of W3C Trace Context). */
export function traceJobs(jobs: JobQueue): JobQueue {
  const consume = <Result>(queue: string, act: () => Promise<Result>): Promise<Result> =>
    inSpan(
      `process ${queue}`,
      { kind: SpanKind.CONSUMER, attributes: { 'messaging.destination.name': queue } },
      act,
    )
  return {
    ...jobs,
    enqueue(transaction, name, data, options) {
      const carrier: Record<string, string> = {}
      propagation.inject(context.active(), carrier)
      return jobs.enqueue(transaction, name, { ...data, ...carrier }, options)
    },
    work: (definition) =>
      jobs.work({
        ...definition,
        run: (job) =>
          context.with(propagation.extract(ROOT_CONTEXT, readObject(job.data)), () =>
            consume(definition.name, () => definition.run(job)),
          ),
      }),
    schedule: (name, cron, run) =>
      jobs.schedule(name, cron, (signal) =>
        context.with(ROOT_CONTEXT, () => consume(name, () => run(signal))),
      ),
  }
}

/** `fetch` with a span of method, host and status: path and query may hold ids and signatures. */
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
