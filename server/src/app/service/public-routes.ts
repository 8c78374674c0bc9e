import { isTestMoney } from '@starside/contract/payment-providers.ts'
import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'
import { settingsRoutes } from '@starside/contract/routes/service-routes.ts'
import type { FastifyInstance } from 'fastify'
import { guardsOf } from '../../accounts/auth/session.ts'
import { presentPackages } from '../../platform/site/package-settings.ts'
import { presentBrand } from '../../platform/site/present-brand.ts'
import { photoRecipients } from '../../selfies/providers/photo-recipients.ts'
import type { Context } from '../context.ts'
import { healthRoutes } from './health-routes.ts'
import { serveRoutes } from '../../platform/http/serve-routes.ts'
import type { DiskWatch } from '../../platform/storage/disk-watch.ts'

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
    host: config.publicHost,
    testMoney: isTestMoney(payments.active.name),
    contactEmail: values['brand.contactEmail'],
    socialUrl: values['brand.socialUrl'],
    communityUrl: values['brand.communityUrl'],
    referralBonusCredits: config.referralBonusCredits,
    photoRecipients: photoRecipients(config.images, moderation),
  }
}
