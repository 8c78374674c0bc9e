import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    knownRoutes?: KnownRoutes
  }
}

export type KnownRoutes = ReturnType<typeof collectRoutes>

/** Collects which methods each address takes from now on (RFC 9110, sections 9.3.7, 15.5.6). */
export function collectRoutes(app: FastifyInstance) {
  const routes: { method: string; pattern: string; expression: RegExp }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    // The wildcard of the static files is no promise that something is there.
    if (url.includes('*')) return
    const expression = new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`)
    for (const each of [method].flat()) routes.push({ method: each, pattern: url, expression })
  })
  return {
    /** Methods of a concrete path, sorted; empty for a path that nothing is at. */
    methodsOf(path: string): string[] {
      const found = routes.filter(({ expression }) => expression.test(path))
      return [...new Set(found.map(({ method }) => method))].toSorted()
    },
    /** Every route of the program, as method and pattern. */
    list: () => routes.map(({ method, pattern }) => ({ method, pattern })),
  }
}
