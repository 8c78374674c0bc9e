import { settingsRoutes } from '@starside/contract/routes/service-routes.ts'
import type { FastifyInstance } from 'fastify'
import { guardsOf } from '../../accounts/auth/session.ts'
import type { Context } from '../context.ts'
import { healthRoutes } from './health-routes.ts'
import { serveRoutes } from '../../platform/http/serve-routes.ts'
import { readPublicSettings } from './public-settings.ts'
import type { DiskWatch } from '../../platform/storage/disk-watch.ts'

/** What anybody may ask: public settings and the health calls. */
export async function publicRoutes(
  app: FastifyInstance,
  { context, disk }: { context: Context; disk: DiskWatch },
): Promise<void> {
  serveRoutes(app, guardsOf(context), settingsRoutes, {
    'GET /api/config': async ({ reply }) => {
      void reply.header('cache-control', 'public, max-age=60')
      return readPublicSettings(context)
    },
  })

  await app.register(healthRoutes, { context, disk })
}
