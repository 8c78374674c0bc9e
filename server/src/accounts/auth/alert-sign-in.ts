import type { Language } from '@starside/contract/languages.ts'
import { sendInBackground } from '../../platform/mail/mailer.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { writeMail } from '../../platform/messages/write-mail.ts'
import type { SessionOrigin } from './session.ts'

/** Tells a person by mail that somebody signed in to their account from a device not seen before. */
export function alertSignIn(
  mailer: Mailer,
  user: { email: string; username: string; language: Language },
  about: { origin: SessionOrigin; now: Date; publicUrl: string; siteName: string },
): void {
  const { origin, now, publicUrl, siteName } = about
  // The program's own words about itself are a stranger's; they get one line.
  const agent = origin.userAgent.replaceAll(/\p{C}+/gu, ' ').trim() || 'unknown'
  sendInBackground(mailer, {
    to: user.email,
    ...writeMail(user.language, 'newSignIn', {
      site: siteName,
      username: user.username,
      time: now.toUTCString(),
      address: origin.address,
      program: agent,
      link: `${publicUrl}/auth?mode=forgot`,
    }),
  })
}
