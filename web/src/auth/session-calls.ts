import { storageKeys } from '@starside/contract/api.ts'
import type { RegisterInput } from '@starside/contract/auth.ts'
import { call } from '../api/call.ts'
import { clearToken, readToken, storeToken } from '../api/token.ts'
import type { ClientUser } from './auth-state.ts'
import { withProof } from './with-proof.ts'

/** Signs in and stores the token. Throws `ApiError`. */
export async function requestLogin(input: { email: string; password: string }): Promise<void> {
  const answer = await withProof(input, (body) => call('POST /api/auth?action=login', { body }))
  storeToken(answer.token)
}

/**
 * Opens an account and stores its token; only the user's first fields are known then, and what
 * there is to be shown. Throws `ApiError`.
 */
export async function requestRegistration(input: RegisterInput): Promise<ClientUser> {
  const answer = await withProof(input, (body) => call('POST /api/auth?action=register', { body }))
  storeToken(answer.token)
  sessionStorage.removeItem(storageKeys.referralCode)
  const { userId, email, username } = answer.user
  return { userId, email, username, notices: answer.notices }
}

/** The signed-in user as the server knows them. Throws `ApiError`. */
export async function requestProfile(signal?: AbortSignal): Promise<ClientUser> {
  const options = signal ? { signal } : {}
  return (await call('GET /api/user?action=profile', options)).user
}

/**
 * The user of the stored token; null when it no longer serves. It is removed then, and with it what
 * belongs to its person: whoever signs in next may be another one.
 */
export async function restoreSession(signal?: AbortSignal): Promise<ClientUser | null> {
  if (!readToken()) return null
  try {
    return await requestProfile(signal)
  } catch {
    if (!signal?.aborted) forgetSession()
    return null
  }
}

/** Ends the session on the server too; the browser forgets it whatever the answer. */
export function endSession(): void {
  if (readToken()) call('POST /api/auth?action=logout').catch(() => undefined)
  forgetSession()
}

/** Removes the token and what belongs to the person who signed out from this browser. */
export function forgetSession(): void {
  clearToken()
  for (const key of [storageKeys.generatedImage, storageKeys.runningGeneration]) {
    localStorage.removeItem(key)
  }
}
