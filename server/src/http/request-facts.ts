declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent it, once that is known; for the log. */
    userId?: string
    /** True when `?action=` names one of the route's acts. */
    actionIsKnown?: boolean
  }
}

export {}
