import type { FastifyReply } from 'fastify'

/** Aborts when the connection that waits for this reply ends, at the latest with its answer. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  if (raw.destroyed) gone.abort()
  return gone.signal
}
