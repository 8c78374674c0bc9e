import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'
import { settingsRoutes } from '@starside/contract/routes/service-routes.ts'
import type { FastifyInstance } from 'fastify'
import { guardsOf } from '../auth/session.ts'
import type { Context } from '../context.ts'
import { healthRoutes } from './health-routes.ts'
import { serveRoutes } from '../http/serve-routes.ts'
import { photoRecipients } from './photo-recipients.ts'
import type { DiskWatch } from '../storage/disk-watch.ts'

/** What anybody may ask: public settings and the health calls. */
export async function publicRoutes(
  app: FastifyInstance,
  { context, testMoney, disk }: { context: Context; testMoney: boolean; disk: DiskWatch },
): Promise<void> {
  const { config, moderation } = context
  const readSettings = (): PublicSettingsAnswer => {
    const site = context.site.values()
    return {
      success: true,
      host: config.publicHost,
      testMoney,
      contactEmail: site['brand.contactEmail'],
      socialUrl: site['brand.socialUrl'],
      communityUrl: site['brand.communityUrl'],
      referralBonusCredits: config.referralBonusCredits,
      photoRecipients: photoRecipients(config.images, moderation),
    }
  }

  serveRoutes(app, guardsOf(context), settingsRoutes, {
    'GET /api/config': async ({ reply }) => {
      void reply.header('cache-control', 'public, max-age=60')
      return readSettings()
    },
  })

  await app.register(healthRoutes, { context, disk })
}
