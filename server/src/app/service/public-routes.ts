import { isTestMoney } from '@starside/contract/payment-providers.ts'
import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'
import {
  settingsRoutes,
  healthRoutes as declared,
} from '@starside/contract/routes/service-routes.ts'
import type { FastifyInstance } from 'fastify'
import { guardsOf } from '../../accounts/auth/session.ts'
import { presentPackages } from '../../platform/site/package-settings.ts'
import { markTextOf, presentBrand } from '../../platform/site/present-brand.ts'
import { photoRecipients } from '../../selfies/providers/image-models.ts'
import type { Context } from '../context.ts'
import { serveRoutes } from '../../platform/http/serve-routes.ts'
import type { DiskWatch } from '../../platform/storage/disk-watch.ts'
import { sql } from 'kysely'
import { AppError } from '../../platform/errors/app-error.ts'
import Fastify, { LogController } from 'fastify'
import { installErrorAnswers } from '../../platform/http/error-answers.ts'
import { collectRoutes } from '../../platform/http/known-routes.ts'
import { loggerOptions } from '../../platform/logging/logger.ts'
import { createDiskWatch } from '../../platform/storage/disk-watch.ts'

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

/** What is public about this installation, by `GET /api/config` and with each page. */
export function readPublicSettings({
  config,
  site,
  moderation,
  payments,
}: Pick<Context, 'config' | 'site' | 'moderation' | 'payments'>): PublicSettingsAnswer {
  const values = site.values()
  return {
    success: true,
    brand: presentBrand(values),
    packages: presentPackages(values.packages),
    markText: markTextOf(values, config.publicHost),
    testMoney: isTestMoney(payments.active.name),
    mailsInTerminal: config.smtpUrl === undefined && config.environment !== 'production',
    contactEmail: values['brand.contactEmail'],
    operator: { name: values['legal.operator'], address: values['legal.address'] },
    socialUrl: values['brand.socialUrl'],
    communityUrl: values['brand.communityUrl'],
    referralBonusCredits: config.referrals.bonusCredits,
    photoRecipients: photoRecipients(config.images, moderation),
  }
}

/**
 * `live`: the process answers; `ready`: database, room for writing, and not told to stop. The store
 * isn't asked: its failure must not take every node out of service at once.
 */
async function healthRoutes(
  app: FastifyInstance,
  { context, disk }: { context: Context; disk: DiskWatch },
): Promise<void> {
  serveRoutes(app, guardsOf(context), declared, {
    'GET /api/health/live': async () => ({ status: 'ok' as const }),
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
      return { status: 'ok' as const }
    },
  })
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
