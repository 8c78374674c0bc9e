import Fastify, { LogController } from 'fastify'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { healthRoutes } from './health-routes.ts'
import { installErrorAnswers } from '../../platform/http/error-answers.ts'
import { collectRoutes } from '../../platform/http/known-routes.ts'
import { loggerOptions } from '../../platform/logging/logger.ts'
import { createDiskWatch } from '../../platform/storage/disk-watch.ts'

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
