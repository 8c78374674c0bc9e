import type { MailSender } from '../mail/mailer.ts'
import type { SiteFallbacks } from './setting.ts'
import type { SiteValues } from './site-settings.ts'

/** Who mails come from: the address that an operator set, else MAIL_FROM, else one at the host. */
export function mailSender(
  values: SiteValues,
  { mailFrom, publicHost }: Pick<SiteFallbacks, 'mailFrom' | 'publicHost'>,
): MailSender {
  const name = values['brand.name']
  const address = values['brand.mailFrom']
  if (address !== '') return { name, address }
  return mailFrom ?? { name, address: `no-reply@${publicHost}` }
}
