import type { FastifyInstance } from 'fastify'

/**
 * Reads away what is left of a request's body when it has been answered, as of a form that is
 * refused at its second part. Left standing, it would keep the connection from its next request,
 * which behind a proxy is another person's. The request's time limit bounds how long this takes.
 */
export function discardUnreadBodies(app: FastifyInstance): void {
  app.addHook('onResponse', (request, _reply, done) => {
    if (!request.raw.complete) {
      request.raw.unpipe()
      request.raw.resume()
    }
    done()
  })
}
