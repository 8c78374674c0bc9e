import { domainToASCII } from 'node:url'
import { readFile } from 'node:fs/promises'
import { SettingsError } from '../../platform/settings/settings-error.ts'
import { readEntries } from '../../platform/settings/read-entries.ts'

/** The form an e-mail is kept and looked up in: trimmed, lower case, Unicode normal form C. */
export function normaliseEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase().normalize('NFC')
}

/** Two names of one mail service. */
const sameService: ReadonlyMap<string, string> = new Map([['googlemail.com', 'gmail.com']])
/** Services that don't look at dots before the @. */
const dotless: ReadonlySet<string> = new Set(['gmail.com'])

/**
 * The mailbox that a normalised e-mail is delivered to, as far as it is known; each gets one free credit.
 * What follows a plus sign is a label (RFC 5233), the domain is read by UTS #46, Gmail ignores dots and has
 * two names. Never used to sign in: two such addresses may be two accounts.
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

/** Tells whether an e-mail is one to be thrown away. */
export type IsDisposable = (email: string) => boolean

/** Reads the operator's list of domains, one a line; without a list no address is disposable. */
export async function loadDisposableDomains(file: string | undefined): Promise<IsDisposable> {
  if (file === undefined) return () => false
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new SettingsError(`DISPOSABLE_MAIL_FILE can't be read: ${String(error)}`)
  })
  const domains = new Set(readEntries(text).flatMap((entry) => domainToASCII(entry) || []))
  return (email) => {
    // As mail servers read it: full-width letters and other dots are the plain ones (UTS #46).
    const labels = domainToASCII(email.slice(email.lastIndexOf('@') + 1)).split('.')
    // A listed domain stands for everything below it.
    return labels.some((_, index) => domains.has(labels.slice(index).join('.')))
  }
}
