import { storageKeys } from '@starside/contract/api.ts'
import { referralCodeLengthMax, voucherCodeLengthMax } from '@starside/contract/limits.ts'

/** Codes that a link brings, by their parameter of its address: of a friend's referral, and of a voucher. */
const carried = {
  ref: { key: storageKeys.referralCode, lengthMax: referralCodeLengthMax },
  voucher: { key: storageKeys.voucherCode, lengthMax: voucherCodeLengthMax },
}
type CodeName = keyof typeof carried

/** The code of an address's query, trimmed to what a code can be; null when there is none. */
export function codeOf(name: CodeName, search: string): string | null {
  const code = new URLSearchParams(search).get(name)?.trim() ?? ''
  return code === '' ? null : code.slice(0, carried[name].lengthMax)
}

/** Keeps a code in this tab, so that it survives a look around, registering and signing in. */
export function rememberCode(name: CodeName, code: string): void {
  sessionStorage.setItem(carried[name].key, code)
}

/** The code of the address, else the one kept from an earlier link in this tab. */
export function carriedCode(name: CodeName, search = ''): string | null {
  return codeOf(name, search) ?? sessionStorage.getItem(carried[name].key)
}

export function forgetCode(name: CodeName): void {
  sessionStorage.removeItem(carried[name].key)
}

/** Where a signed-out visitor registers: `/auth?mode=register`, with a friend's code when there is one. */
export function registrationPath(code: string | null): string {
  return code ? `/auth?mode=register&ref=${encodeURIComponent(code)}` : '/auth?mode=register'
}
