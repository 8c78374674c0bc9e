import { isIP } from 'node:net'
import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'
import type { MailSender } from '../mail/mailer.ts'
import type { SiteFallbacks, SiteValues } from './site-settings.ts'

/** The brand as browsers get it. */
export function presentBrand(values: SiteValues): PublicSettingsAnswer['brand'] {
  const logo = values['brand.logo']
  const name = values['brand.name']
  const nameTag = name.replaceAll(/[^\p{L}\p{N}_]/gu, '')
  return {
    name,
    line: values['brand.line'],
    logo:
      logo === ''
        ? null
        : { url: pictureUrl(logo.file), widthPx: logo.widthPx, heightPx: logo.heightPx },
    shareText: values['brand.shareText'],
    shareTags: values['brand.shareTags']
      .map((tag) => (tag === '{brand}' ? nameTag : tag))
      .filter((tag) => tag !== ''),
  }
}

/** The brand mark where no operator set one: the host; in place of one that is no name, the brand's, if it can be drawn. */
export function usualMarkText({ 'brand.name': name }: SiteValues, publicHost: string): string {
  const isPublic = publicHost.includes('.') && isIP(publicHost) === 0
  return !isPublic && /^[ -~]+$/.test(name) ? name : publicHost
}

/** What the brand mark of free pictures says. */
export function markTextOf(values: SiteValues, publicHost: string): string {
  return values['brand.markText'] || usualMarkText(values, publicHost)
}

/** Where a stored picture of the brand is served. */
export function pictureUrl(file: string): string {
  return `/brand/${file}`
}

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
