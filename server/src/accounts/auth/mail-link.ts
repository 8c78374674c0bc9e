import type { AccountParts } from '../parts.ts'
import { sendInBackground } from '../../platform/mail/mailer.ts'
import { writeMail } from '../../platform/messages/write-mail.ts'
import { createToken, hashToken } from './session.ts'

/** What making and mailing a link with a new token takes. */
export type LinkParts = Pick<
  AccountParts,
  'clock' | 'config' | 'database' | 'mailer' | 'randomBytes' | 'site'
>

/** A new link's token, and what is kept of it. */
export function createLink({ clock, randomBytes }: LinkParts, user_id: string, lifetimeMs: number) {
  const [token, created_at] = [createToken(randomBytes), clock()]
  const expires_at = new Date(created_at.getTime() + lifetimeMs)
  return { token, row: { token_hash: hashToken(token), user_id, created_at, expires_at } }
}

/** Mails a link, in the person's language, without waiting for it. */
export function mailLink(
  { config, mailer, site }: LinkParts,
  kind: 'confirmation' | 'passwordReset',
  user: { email: string; language: string },
  page: { path: string; token: string },
): void {
  // The token stands behind the number sign, which browsers never send to a server or a log.
  const link = `${config.publicUrl}${page.path}#token=${page.token}`
  const names = { site: site.values()['brand.name'], link }
  sendInBackground(mailer, { to: user.email, ...writeMail(user.language, kind, names) })
}
