import type { Mailer } from '../mail/mailer.ts'
import type { SessionOrigin } from './session.ts'

/** Tells a person by mail that somebody signed in to their account from a device not seen before. */
export function alertSignIn(
  mailer: Mailer,
  user: { email: string; username: string },
  about: { origin: SessionOrigin; now: Date; publicUrl: string; siteName: string },
): void {
  const { origin, now, publicUrl, siteName } = about
  // The program's own words about itself are a stranger's; they get one line.
  const agent = origin.userAgent.replaceAll(/\p{C}+/gu, ' ').trim() || 'unknown'
  void mailer.send({
    to: user.email,
    subject: `New sign-in to ${siteName}`,
    text: `Hello ${user.username},\n\nsomebody signed in to your account from a device we have not seen before:\n\nTime: ${now.toUTCString()}\nAddress: ${origin.address}\nProgram: ${agent}\n\nIf this was you, there is nothing to do. If not, end that session and set a new password:\n\n${publicUrl}/auth?mode=forgot`,
  })
}
