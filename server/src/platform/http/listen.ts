import type { FastifyInstance } from 'fastify'

/**
 * The listen backlog, which Linux cuts to `net.core.somaxconn`. With Node's 511, many connections
 * that come while the program is busy for a moment are turned away.
 */
const backlogMax = 4_096

/** Lets the app listen; answers its address. Port 0 takes any free one. */
export function listen(
  app: FastifyInstance,
  address: { port: number; host: string },
): Promise<string> {
  return app.listen({ ...address, backlog: backlogMax })
}
