import { readFile } from 'node:fs/promises'
import { domainToASCII } from 'node:url'
import { SettingsError } from '../../platform/settings/settings-error.ts'

/** Tells whether an e-mail is one to be thrown away. */
export type IsDisposable = (email: string) => boolean

/** Reads the operator's list of domains, one a line; without a list no address is disposable. */
export async function loadDisposableDomains(file: string | undefined): Promise<IsDisposable> {
  if (file === undefined) return () => false
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new SettingsError(`DISPOSABLE_MAIL_FILE can't be read: ${String(error)}`)
  })
  const domains = new Set(
    text
      .split('\n')
      .map((line) => domainToASCII((line.split('#')[0] ?? '').trim()))
      .filter((line) => line !== ''),
  )
  return (email) => {
    // As mail servers read it: full-width letters and other dots are the plain ones (UTS #46).
    const labels = domainToASCII(email.slice(email.lastIndexOf('@') + 1)).split('.')
    // A listed domain stands for everything below it.
    return labels.some((_, index) => domains.has(labels.slice(index).join('.')))
  }
}
