import { defaultLanguage } from '@starside/contract/languages.ts'
import { legalPages } from '@starside/contract/legal-pages.ts'
import { legalRoutes as declared } from '@starside/contract/routes/legal-routes.ts'
import type { FastifyInstance } from 'fastify'
import { guardsOf } from '../auth/session.ts'
import type { SignedInUser } from '../auth/session.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import { serveRoutes } from '../http/serve-routes.ts'
import type { RouteHandlers } from '../http/serve-routes.ts'
import { describeLegalPage } from './legal-html.ts'

/** Terms, privacy and imprint, for everybody. */
export async function legalRoutes(
  app: FastifyInstance,
  { context }: { context: Context },
): Promise<void> {
  const { legalTexts } = context
  const handlers: RouteHandlers<typeof declared, SignedInUser> = {
    'GET /api/legal/:page': async ({ params, query, reply }) => {
      const page = legalPages.find((name) => name === params.page)
      if (page === undefined) throw new AppError('not_found')
      void reply.header('cache-control', 'no-cache')
      return describeLegalPage(legalTexts, page, query.language ?? defaultLanguage)
    },
  }
  serveRoutes(app, guardsOf(context), declared, handlers)
}
