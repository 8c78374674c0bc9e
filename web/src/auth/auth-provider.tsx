import { useCallback, useEffect, useEffectEvent, useMemo, useReducer, useRef } from 'react'
import type { ReactNode } from 'react'
import { clearToken, readToken, storeToken } from '../api/token.ts'
import { useMessages, useErrorSentence } from '../ui/language.tsx'
import { AuthContext, initialAuthState, reduceAuth } from './auth-context.ts'
import type { AuthContextValue, ClientUser } from './auth-context.ts'
import { storageKeys } from '@starside/contract/api.ts'
import { call, ApiError } from '../api/call.ts'
import { useListener } from '../ui/use-listener.ts'
import type { RegisterInput } from '@starside/contract/auth.ts'
import { withProof } from './with-proof.ts'

/** Holds who is signed in, and performs signing in, up and out. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const { state, dispatch } = useSession()
  const m = useMessages('shell')
  const sentenceOf = useErrorSentence()
  const logout = useCallback(() => {
    endSession()
    dispatch({ type: 'logged-out' })
  }, [dispatch])

  const value = useMemo<AuthContextValue>(() => {
    const fail = (error: unknown, fallback: string): void =>
      dispatch({ type: 'failure', message: sentenceOf(error, fallback) })
    const userId = state.user?.userId
    const updateUser = (changes: Partial<ClientUser>): void => {
      if (userId !== undefined) dispatch({ type: 'update', userId, changes })
    }
    return {
      ...state,
      login: async (input) => {
        dispatch({ type: 'start' })
        try {
          const send = (body: typeof input) => call('POST /api/auth?action=login', { body })
          storeToken((await withProof(input, send)).token)
        } catch (error) {
          return fail(error, m.loginFailed)
        }
        try {
          dispatch({ type: 'success', user: await requestProfile() })
        } catch {
          clearToken()
          fail(null, m.profileFailed)
        }
      },
      register: async (input) => {
        dispatch({ type: 'start' })
        try {
          dispatch({ type: 'success', user: await requestRegistration(input) })
          return null
        } catch (error) {
          fail(error, m.registrationFailed)
          return error instanceof ApiError ? error.code : null
        }
      },
      logout,
      clearError: () => dispatch({ type: 'clear-error' }),
      updateUser,
      refreshUser: async () => {
        if (readToken()) updateUser(await requestProfile())
      },
    }
  }, [state, dispatch, m, sentenceOf, logout])

  return <AuthContext value={value}>{children}</AuthContext>
}

/** Who is signed in, kept in step with the server and with the browser's other tabs. */
export function useSession() {
  const [state, dispatch] = useReducer(reduceAuth, initialAuthState)
  const running = useRef<AbortController>(null)
  const restore = async (): Promise<void> => {
    running.current?.abort()
    const { signal } = (running.current = new AbortController())
    const user = await restoreSession(signal)
    if (!signal.aborted) dispatch(user ? { type: 'success', user } : { type: 'logged-out' })
  }
  const restoreFirst = useEffectEvent(restore)
  useEffect(() => {
    void restoreFirst()
    return () => running.current?.abort()
  }, [])
  // Another tab signed out, or somebody else in.
  useListener('storage', ({ key }) => {
    if (key === storageKeys.authToken || key === null) void restore()
  })
  useListener('session-ended', () => {
    forgetSession()
    dispatch({ type: 'session-lost' })
  })

  useEffect(() => {
    if (state.sessionChecked) delete document.documentElement.dataset['auth']
  }, [state.sessionChecked])
  return { state, dispatch }
}

/** Opens an account and stores its token; only the first fields are known then. Throws `ApiError`. */
async function requestRegistration(input: RegisterInput): Promise<ClientUser> {
  const answer = await withProof(input, (body) => call('POST /api/auth?action=register', { body }))
  storeToken(answer.token)
  sessionStorage.removeItem(storageKeys.referralCode)
  const { userId, email, username } = answer.user
  return { userId, email, username, notices: answer.notices }
}

/** The signed-in user as the server knows them. Throws `ApiError`. */
async function requestProfile(options: { signal?: AbortSignal } = {}): Promise<ClientUser> {
  return (await call('GET /api/user?action=profile', options)).user
}

/** The user of the stored token; null when it no longer serves, and is forgotten with all of theirs. */
async function restoreSession(signal: AbortSignal): Promise<ClientUser | null> {
  if (!readToken()) return null
  try {
    return await requestProfile({ signal })
  } catch {
    if (!signal.aborted) forgetSession()
    return null
  }
}

/** Ends the session on the server too; the browser forgets it whatever the answer. */
function endSession(): void {
  if (readToken()) call('POST /api/auth?action=logout').catch(() => undefined)
  forgetSession()
}

/** Removes the token and what belongs to the person who signed out from this browser. */
function forgetSession(): void {
  clearToken()
  for (const key of [storageKeys.generatedImage, storageKeys.runningGeneration]) {
    localStorage.removeItem(key)
  }
}
