import { defaultLanguage } from '@starside/contract/languages.ts'
import { legalPages } from '@starside/contract/legal-pages.ts'
import { legalRoutes as declared } from '@starside/contract/routes/legal-routes.ts'
import type { FastifyInstance } from 'fastify'
import { guardsOf } from '../../accounts/auth/session.ts'
import type { SignedInUser } from '../../accounts/auth/session.ts'
import type { ShopParts } from '../parts.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { serveRoutes } from '../../platform/http/serve-routes.ts'
import type { RouteHandlers } from '../../platform/http/serve-routes.ts'
import { describeLegalPage } from './legal-html.ts'

export async function legalRoutes(
  app: FastifyInstance,
  { context }: { context: ShopParts },
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
