import { isTestMoney } from '@starside/contract/payment-providers.ts'
import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'
import type { Context } from '../context.ts'
import { presentPackages } from '../../platform/site/package-settings.ts'
import { presentBrand } from '../../platform/site/present-brand.ts'
import { photoRecipients } from '../../selfies/providers/photo-recipients.ts'

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
