import { useCallback, useMemo, type ReactNode, useEffect, useReducer } from 'react'
import { ApiError } from '../api/api-error.ts'
import { clearToken, readToken, storeToken } from '../api/token.ts'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { useMessages } from '../ui/language.tsx'
import { AuthContext, type AuthContextValue, type AuthOutcome } from './auth-context.ts'
import { type ClientUser, initialAuthState, reduceAuth } from './auth-state.ts'
import {
  endSession,
  requestLogin,
  requestProfile,
  requestRegistration,
  forgetSession,
  restoreSession,
} from './session-calls.ts'
import { storageKeys } from '@starside/contract/api.ts'
import { onSessionEnd } from '../api/call.ts'

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
    const fail = (error: unknown, fallback: string): AuthOutcome => {
      const code = error instanceof ApiError ? error.code : null
      dispatch({ type: 'failure', message: sentenceOf(error, fallback) })
      return { success: false, code }
    }
    const succeed = (user: ClientUser): AuthOutcome => {
      dispatch({ type: 'success', user })
      return { success: true }
    }
    const userId = state.user?.userId
    const updateUser = (changes: Partial<ClientUser>): void => {
      if (userId !== undefined) dispatch({ type: 'update', userId, changes })
    }
    return {
      ...state,
      login: async (input) => {
        dispatch({ type: 'start' })
        try {
          await requestLogin(input)
        } catch (error) {
          return fail(error, m.loginFailed)
        }
        try {
          return succeed(await requestProfile())
        } catch {
          clearToken()
          return fail(null, m.profileFailed)
        }
      },
      register: async (input) => {
        dispatch({ type: 'start' })
        try {
          return succeed(await requestRegistration(input))
        } catch (error) {
          return fail(error, m.registrationFailed)
        }
      },
      logout,
      replaceToken: storeToken,
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

  useEffect(() => {
    let controller = new AbortController()
    const restore = async (): Promise<void> => {
      controller.abort()
      controller = new AbortController()
      const { signal } = controller
      const user = await restoreSession(signal)
      if (!signal.aborted) dispatch(user ? { type: 'success', user } : { type: 'logged-out' })
    }
    // Another tab signed out, or somebody else in.
    const onStorage = (event: StorageEvent): void => {
      if (event.key === storageKeys.authToken || event.key === null) void restore()
    }
    void restore()
    addEventListener('storage', onStorage)
    return () => {
      controller.abort()
      removeEventListener('storage', onStorage)
    }
  }, [])

  useEffect(
    () =>
      onSessionEnd(() => {
        forgetSession()
        dispatch({ type: 'session-lost' })
      }),
    [],
  )

  useEffect(() => {
    if (state.sessionChecked) delete document.documentElement.dataset['auth']
  }, [state.sessionChecked])
  return { state, dispatch }
}
