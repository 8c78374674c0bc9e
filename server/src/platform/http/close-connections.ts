import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** A request on its way over a connection that was just opened arrives within that time. */
const silentMaxMs = 1_000

/**
 * While the program stops, answers under way end their connection, and one on which nothing was ever
 * sent, as browsers open them, is closed: Node.js doesn't count it as idle.
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
 * Reads away the rest of an answered request's body, as of a form refused at its second part: left,
 * it would keep the connection from its next request, behind a proxy another person's.
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
