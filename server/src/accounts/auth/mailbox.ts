import { domainToASCII } from 'node:url'

/**
 * The form under which an e-mail is kept, looked up and signed in with: without spaces around it,
 * in Unicode normalisation form C and lower case. Letters that look alike but are composed in
 * another way are the same account.
 */
export function normaliseEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase().normalize('NFC')
}

/** Two names of one mail service. */
const sameService: ReadonlyMap<string, string> = new Map([['googlemail.com', 'gmail.com']])
/** Services that don't look at dots before the @. */
const dotless: ReadonlySet<string> = new Set(['gmail.com'])

/**
 * The mailbox that an e-mail is delivered to, as far as it is known from outside; whoever has
 * several addresses of one gets one free credit. What follows a plus sign is a label (RFC 5233),
 * the domain is compared as mail servers read it (UTS #46), and Gmail takes dots and both its names
 * for the same. Never used to sign in: two such addresses may be two accounts.
 * @param email normalised
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const written = email.slice(at + 1)
  const domain = (domainToASCII(written) || written).replace(/\.$/, '')
  const service = sameService.get(domain) ?? domain
  const [name = ''] = email.slice(0, at).normalize('NFKC').split('+')
  // A name that is nothing but a label stays as it is.
  const local = name === '' ? email.slice(0, at) : name
  return `${dotless.has(service) ? local.replaceAll('.', '') : local}@${service}`
}
