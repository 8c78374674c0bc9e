import { useCallback, useEffect, useMemo, useReducer, useRef, type ReactNode } from 'react'
import { storageKeys } from '@starside/contract/api.ts'
import type { RegisterInput } from '@starside/contract/auth.ts'
import { ApiError } from '../api/api-error.ts'
import { call, onSessionEnd } from '../api/call.ts'
import { clearToken, readToken, storeToken } from '../api/token.ts'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { useMessages } from '../ui/language.tsx'
import { AuthContext, type AuthContextValue, type AuthOutcome } from './auth-context.ts'
import { withProof } from './with-proof.ts'
import { changesAnything, initialAuthState, reduceAuth, type ClientUser } from './auth-state.ts'

/** Holds who is signed in, and performs signing in, up and out. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const [state, dispatch] = useReducer(reduceAuth, initialAuthState)
  const m = useMessages('shell')
  const sentenceOf = useErrorSentence()
  const userRef = useRef<ClientUser | null>(null)
  useEffect(() => {
    userRef.current = state.user
    if (state.sessionChecked) delete document.documentElement.dataset['auth']
  }, [state])

  useEffect(() => {
    const controller = new AbortController()
    void restoreSession(controller.signal).then((user) => {
      if (controller.signal.aborted) return
      dispatch(user ? { type: 'success', user } : { type: 'logged-out' })
    })
    return () => controller.abort()
  }, [])

  const logout = useCallback(() => {
    // The session is ended on the server too; the browser forgets it whatever the answer.
    if (readToken()) call('POST /api/auth?action=logout').catch(() => undefined)
    forgetSession()
    dispatch({ type: 'logged-out' })
  }, [])

  useEffect(
    () =>
      onSessionEnd(() => {
        forgetSession()
        dispatch({ type: 'session-lost' })
      }),
    [],
  )

  // Another tab signed out, or somebody else in.
  useEffect(() => {
    const onStorage = (event: StorageEvent): void => {
      if (event.key !== storageKeys.authToken && event.key !== null) return
      void restoreSession(new AbortController().signal).then((user) =>
        dispatch(user ? { type: 'success', user } : { type: 'logged-out' }),
      )
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [])

  const value = useMemo<AuthContextValue>(() => {
    const fail = (error: unknown, fallback: string): AuthOutcome => {
      const code = error instanceof ApiError ? error.code : null
      dispatch({ type: 'failure', message: sentenceOf(error, fallback) })
      return { success: false, code }
    }
    const updateUser = (changes: Partial<ClientUser>): void => {
      const user = userRef.current
      if (user && changesAnything(user, changes)) dispatch({ type: 'update', changes })
    }
    return {
      ...state,
      login: async (input) => {
        dispatch({ type: 'start' })
        try {
          const answer = await withProof(input, (body) =>
            call('POST /api/auth?action=login', { body }),
          )
          storeToken(answer.token)
        } catch (error) {
          return fail(error, m.loginFailed)
        }
        try {
          const { user } = await call('GET /api/user?action=profile')
          dispatch({ type: 'success', user })
          return { success: true }
        } catch {
          clearToken()
          return fail(null, m.profileFailed)
        }
      },
      register: async (input: RegisterInput) => {
        dispatch({ type: 'start' })
        try {
          const answer = await withProof(input, (body) =>
            call('POST /api/auth?action=register', { body }),
          )
          storeToken(answer.token)
          sessionStorage.removeItem(storageKeys.referralCode)
          const { userId, email, username } = answer.user
          dispatch({ type: 'success', user: { userId, email, username } })
          return { success: true }
        } catch (error) {
          return fail(error, m.registrationFailed)
        }
      },
      logout,
      replaceToken: storeToken,
      clearError: () => dispatch({ type: 'clear-error' }),
      updateUser,
      refreshUser: async () => {
        if (!userRef.current || !readToken()) return
        const { user } = await call('GET /api/user?action=profile')
        updateUser(user)
      },
    }
  }, [state, m, sentenceOf, logout])

  return <AuthContext value={value}>{children}</AuthContext>
}

/** The user of the stored token; null, with the token removed, when it no longer serves. */
async function restoreSession(signal: AbortSignal): Promise<ClientUser | null> {
  if (!readToken()) return null
  try {
    const { user } = await call('GET /api/user?action=profile', { signal })
    return user
  } catch {
    if (!signal.aborted) clearToken()
    return null
  }
}

/** Removes the token and what belongs to the person who signed out from this browser. */
function forgetSession(): void {
  clearToken()
  for (const key of [storageKeys.generatedImage, storageKeys.runningGeneration]) {
    localStorage.removeItem(key)
  }
}
