import { storageKeys } from '@starside/contract/api.ts'

/** The bearer token, kept in local storage as the specification asks (section 6). */
export function readToken(): string | null {
  try {
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
