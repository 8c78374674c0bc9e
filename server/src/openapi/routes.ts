import { listRoutes } from '@starside/contract/routes/list-routes.ts'
import { documentRoutes } from '@starside/contract/routes/service-routes.ts'
import type { FastifyInstance } from 'fastify'
import { guardsOf } from '../auth/session.ts'
import type { Context } from '../context.ts'
import { sendHtml } from '../http/html.ts'
import { serveRoutes } from '../http/serve-routes.ts'
import { systemVersion } from '../system-version.ts'
import { buildOpenApi } from './build-document.ts'
import { docsPage, docsStyle } from './docs-page.ts'

/** `GET /api/openapi.json` and `GET /api/docs`: the API told to programs and to people. */
export async function openApiRoutes(
  app: FastifyInstance,
  { context }: { context: Pick<Context, 'config' | 'findSession' | 'limits' | 'site'> },
): Promise<void> {
  const { publicUrl } = context.config
  const routes = listRoutes()
  let document = ''
  let builtFor: string | undefined
  /** Built anew when the name changes: its schemas take some milliseconds. */
  const openApiDocument = () => {
    const siteName = context.site.values()['brand.name']
    if (siteName !== builtFor) {
      document = JSON.stringify(
        buildOpenApi(routes, { publicUrl, version: systemVersion, siteName }),
      )
      builtFor = siteName
    }
    return document
  }

  serveRoutes(app, guardsOf(context), documentRoutes, {
    'GET /api/openapi.json': async ({ reply }) =>
      reply
        .type('application/json')
        .header('cache-control', 'public, max-age=300')
        // Public, and of use to tools on other pages.
        .header('access-control-allow-origin', '*')
        .send(openApiDocument()),
    'GET /api/docs': async ({ reply }) => {
      const siteName = context.site.values()['brand.name']
      return sendHtml(reply.header('cache-control', 'public, max-age=300'), {
        title: `${siteName} API`,
        style: docsStyle,
        body: docsPage(routes, { publicUrl, siteName }),
      })
    },
  })
}
