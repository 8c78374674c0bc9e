import type { FastifyInstance } from 'fastify'
import { readBehaviour } from './behaviour.ts'
import { requestStatus } from './queued-requests.ts'
import type { Sandbox } from './accept-request.ts'

/** What no real queue has: calls that say how the next requests are treated, and what came of them. */
export function registerControl(app: FastifyInstance, sandbox: Sandbox): void {
  app.post('/control/next', (request) => {
    const list = Array.isArray(request.body) ? request.body : [request.body]
    sandbox.scripted.push(...list.map(readBehaviour))
    return { scripted: sandbox.scripted.length }
  })
  app.post('/control/usually', (request) => {
    sandbox.usual = readBehaviour(request.body)
    return sandbox.usual
  })
  app.get('/control/requests', () => ({
    submits: sandbox.submits,
    requests: [...sandbox.requests.values()].map((queued) => ({
      request_id: queued.requestId,
      model: queued.model,
      status: requestStatus(queued, sandbox.now()),
      behaviour: queued.behaviour,
      polls: queued.polls,
      downloads: queued.downloads,
      webhook_answers: queued.webhookAnswers,
    })),
  }))
}
