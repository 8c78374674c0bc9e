import type { FastifyInstance } from 'fastify'

/**
 * Connections that the system holds for us until we accept them; Linux cuts it to
 * `net.core.somaxconn`. With Node's 511 a crowd that comes while the program is busy for a moment is
 * turned away, and browsers see a broken line.
 */
const waitingConnectionsMax = 4_096

/** Lets the app listen; answers its address. Port 0 takes any free one. */
export function openDoor(
  app: FastifyInstance,
  address: { port: number; host: string },
): Promise<string> {
  return app.listen({ ...address, backlog: waitingConnectionsMax })
}
