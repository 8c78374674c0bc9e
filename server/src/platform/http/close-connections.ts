import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** A request on its way over a connection that was just opened arrives within that time. */
const silentMaxMs = 1_000

/**
 * While the program stops, answers end their connection, and one on which nothing was ever sent, as
 * browsers open them, is closed: Node.js doesn't count it as idle.
 * @param stopping aborted before the program closes all connections, so that most are given up one by one
 */
export function closeConnectionsAtStop(app: FastifyInstance, stopping: AbortSignal): void {
  const open = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', async () => {
    setTimeout(() => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    }, silentMaxMs).unref()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping.aborted) void reply.header('connection', 'close')
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
