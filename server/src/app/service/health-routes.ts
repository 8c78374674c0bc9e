import { healthRoutes as declared } from '@starside/contract/routes/service-routes.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { guardsOf } from '../../accounts/auth/session.ts'
import type { SignedInUser } from '../../accounts/auth/session.ts'
import type { Context } from '../context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { serveRoutes } from '../../platform/http/serve-routes.ts'
import type { RouteHandlers } from '../../platform/http/serve-routes.ts'
import type { DiskWatch } from '../../platform/storage/disk-watch.ts'
import Fastify, { LogController } from 'fastify'
import { installErrorAnswers } from '../../platform/http/error-answers.ts'
import { collectRoutes } from '../../platform/http/known-routes.ts'
import { loggerOptions } from '../../platform/logging/logger.ts'
import { createDiskWatch } from '../../platform/storage/disk-watch.ts'

/**
 * `live` says that the process answers at all, `ready` that it should get work: the database
 * answers, what is written finds room, and nobody has asked the program to stop. A store that fails
 * is no reason to take every node out of service at once, so it isn't asked here.
 */
export async function healthRoutes(
  app: FastifyInstance,
  {
    context,
    disk,
  }: {
    context: Pick<Context, 'database' | 'stopping' | 'findSession' | 'limits'>
    disk: DiskWatch
  },
): Promise<void> {
  const handlers: RouteHandlers<typeof declared, SignedInUser> = {
    'GET /api/health/live': async () => ({ status: 'ok' }),
    'GET /api/health/ready': async ({ request }) => {
      if (context.stopping.aborted) throw new AppError('unavailable')
      try {
        await sql`select 1`.execute(context.database)
      } catch (error) {
        request.log.warn({ err: error }, 'not ready: the database does not answer')
        throw new AppError('unavailable', { cause: error })
      }
      if (await disk.isFull()) {
        request.log.warn('not ready: the disk is full')
        throw new AppError('unavailable')
      }
      return { status: 'ok' }
    },
  }
  serveRoutes(app, guardsOf(context), declared, handlers)
}

/** All that a worker answers over HTTP: whether it lives and takes work. */
export async function createWorkerApp(context: Context): Promise<FastifyInstance> {
  const { logLevel } = context.config
  const app = Fastify({
    logger: logLevel === 'silent' ? false : loggerOptions(logLevel),
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  })
  installErrorAnswers(app, collectRoutes(app))
  await app.register(healthRoutes, { context, disk: createDiskWatch(context.config.dataFolder) })
  return app
}
