import { listRoutes } from '@starside/contract/routes/list-routes.ts'
import { documentRoutes } from '@starside/contract/routes/service-routes.ts'
import type { FastifyInstance } from 'fastify'
import { guardsOf } from '../../accounts/auth/session.ts'
import type { Context } from '../context.ts'
import { sendHtml } from '../../platform/http/html.ts'
import { serveRoutes } from '../../platform/http/serve-routes.ts'
import { systemVersion } from '../../platform/settings/system-version.ts'
import { buildOpenApi } from './build-document.ts'
import { docsPage, docsStyle } from './docs-page.ts'

/** `GET /api/openapi.json` and `GET /api/docs`: the API told to programs and to people. */
export async function openApiRoutes(
  app: FastifyInstance,
  { context }: { context: Pick<Context, 'config' | 'findSession' | 'limits' | 'site'> },
): Promise<void> {
  const { publicUrl } = context.config
  const routes = listRoutes()
  const siteName = () => context.site.values()['brand.name']
  const openApiDocument = keepForName(siteName, (name) =>
    JSON.stringify(buildOpenApi(routes, { publicUrl, version: systemVersion, siteName: name })),
  )
  const docsBody = keepForName(siteName, (name) => docsPage(routes, { publicUrl, siteName: name }))

  serveRoutes(app, guardsOf(context), documentRoutes, {
    'GET /api/openapi.json': async ({ reply }) =>
      reply
        .type('application/json')
        .header('cache-control', 'public, max-age=300')
        // Public, and of use to tools on other pages.
        .header('access-control-allow-origin', '*')
        .send(openApiDocument()),
    'GET /api/docs': async ({ reply }) =>
      sendHtml(reply.header('cache-control', 'public, max-age=300'), {
        title: `${siteName()} API`,
        style: docsStyle,
        body: docsBody(),
      }),
  })
}

/**
 * Gives what `make` makes of the site's name, made anew when the name changes: anybody may ask, and the
 * schemas of all routes take many milliseconds.
 */
export function keepForName<Made>(nameNow: () => string, make: (name: string) => Made): () => Made {
  let kept: { name: string; made: Made } | undefined
  return () => {
    const name = nameNow()
    if (kept?.name !== name) kept = { name, made: make(name) }
    return kept.made
  }
}
