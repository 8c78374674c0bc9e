import type { AccountParts } from '../parts.ts'
import { sendInBackground } from '../../platform/mail/mailer.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { writeMail } from '../../platform/messages/write-mail.ts'
import type { RandomBytes } from '../../platform/secrets/random-bytes.ts'

/** What mailing a link with a new token takes. */
export interface LinkMailing {
  now: Date
  randomBytes: RandomBytes
  mailer: Mailer
  publicUrl: string
  siteName: string
}

/** As it is at this moment. */
export function linkMailing(context: AccountParts): LinkMailing {
  return {
    now: context.clock(),
    randomBytes: context.randomBytes,
    mailer: context.mailer,
    publicUrl: context.config.publicUrl,
    siteName: context.site.values()['brand.name'],
  }
}

/** Mails a link, in the person's language, without waiting for it. */
export function mailLink(
  kind: 'confirmation' | 'passwordReset',
  user: { email: string; username: string; language: string },
  page: { path: string; token: string },
  mailing: LinkMailing,
): void {
  // The token stands behind the number sign, which browsers never send to a server or a log.
  const link = `${mailing.publicUrl}${page.path}#token=${page.token}`
  const names = { site: mailing.siteName, username: user.username, link }
  void sendInBackground(mailing.mailer, {
    to: user.email,
    ...writeMail(user.language, kind, names),
  })
}
