import { storageKeys } from '@starside/contract/api.ts'
import { eventOfPath } from '@starside/contract/pages.ts'

/**
 * The bearer token, kept in local storage as the specification asks (section 6). Null on the pages of
 * an event, where a guest's cookie stands for it.
 */
export function readToken(): string | null {
  try {
    if (eventOfPath(location.pathname) !== null) return null
    return localStorage.getItem(storageKeys.authToken)
  } catch {
    return null
  }
}

export function storeToken(token: string): void {
  localStorage.setItem(storageKeys.authToken, token)
}

export function clearToken(): void {
  try {
    localStorage.removeItem(storageKeys.authToken)
  } catch {
    // Without storage there is nothing to clear.
  }
}
