import { storageKeys } from '@starside/contract/api.ts'
import { voucherCodeLengthMax } from '@starside/contract/limits.ts'

/** The voucher code of an address's query; null when there is none. */
export function voucherCodeOf(search: string): string | null {
  const code = new URLSearchParams(search).get('voucher')?.trim() ?? ''
  return code === '' ? null : code.slice(0, voucherCodeLengthMax)
}

/** Keeps a code that came with a link, so that it survives registering and signing in. */
export function rememberVoucherCode(code: string): void {
  sessionStorage.setItem(storageKeys.voucherCode, code)
}

/** The code that waits in this tab to be redeemed. */
export function carriedVoucherCode(): string | null {
  return sessionStorage.getItem(storageKeys.voucherCode)
}

export function forgetVoucherCode(): void {
  sessionStorage.removeItem(storageKeys.voucherCode)
}
