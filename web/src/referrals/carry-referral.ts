import { storageKeys } from '@starside/contract/api.ts'
import { referralCodeLengthMax } from '@starside/contract/limits.ts'

/** The referral code of an address's query, trimmed to what a code can be; null when there is none. */
export function referralCodeOf(search: string): string | null {
  const code = new URLSearchParams(search).get('ref')?.trim() ?? ''
  return code === '' ? null : code.slice(0, referralCodeLengthMax)
}

/** Keeps a code that came with a link, so that it survives a look around before registering. */
export function rememberReferralCode(code: string): void {
  sessionStorage.setItem(storageKeys.referralCode, code)
}

/** The code of the address, else the one kept from an earlier link in this tab. */
export function carriedReferralCode(search: string): string | null {
  return referralCodeOf(search) ?? sessionStorage.getItem(storageKeys.referralCode)
}

/** Where a signed-out visitor registers: `/auth?mode=register`, with the code when there is one. */
export function registrationPath(code: string | null): string {
  return code ? `/auth?mode=register&ref=${encodeURIComponent(code)}` : '/auth?mode=register'
}
