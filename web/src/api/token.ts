import { storageKeys } from '@starside/contract/api.ts'
import { eventOfPath } from '@starside/contract/pages.ts'

/** The bearer token (specification, section 6); null on an event's pages, where guests have a cookie. */
export function readToken(): string | null {
  if (eventOfPath(location.pathname) !== null) return null
  return localStorage.getItem(storageKeys.authToken)
}

export function storeToken(token: string): void {
  localStorage.setItem(storageKeys.authToken, token)
}

export function clearToken(): void {
  localStorage.removeItem(storageKeys.authToken)
}
