import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** A request on its way over a connection that was just opened arrives within that time. */
const silentMaxMs = 1_000

/**
 * While the program stops, answers under way end their connection instead of keeping it alive, and a
 * connection on which nothing was ever sent, as browsers open them beforehand, is closed: Node.js
 * doesn't take it for an idle one and would wait until its headers are due.
 */
export function closeConnectionsAtStop(app: FastifyInstance): void {
  const open = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
    setTimeout(() => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    }, silentMaxMs).unref()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping) void reply.header('connection', 'close')
    done(null, payload)
  })
}

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
