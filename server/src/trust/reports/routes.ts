import { reportRoutes as declared } from '@starside/contract/routes/report-routes.ts'
import type { FastifyInstance } from 'fastify'
import { guardsOf } from '../../accounts/auth/session.ts'
import type { SignedInUser } from '../../accounts/auth/session.ts'
import type { TrustParts } from '../parts.ts'
import { readLanguage } from '../../platform/http/read-language.ts'
import { serveRoutes } from '../../platform/http/serve-routes.ts'
import type { RouteHandlers } from '../../platform/http/serve-routes.ts'
import { fileReport } from './file-report.ts'

/** Anybody may report a picture. */
export async function reportRoutes(
  app: FastifyInstance,
  { context }: { context: TrustParts },
): Promise<void> {
  const handlers: RouteHandlers<typeof declared, SignedInUser> = {
    'POST /api/reports': async ({ body, request }) => {
      const { reportId, dueAt } = await fileReport(context, body, readLanguage(request))
      return { success: true, reportId, dueAt: dueAt.toISOString() }
    },
  }
  serveRoutes(app, guardsOf(context), declared, handlers)
}
