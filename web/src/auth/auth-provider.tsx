import { useCallback, useMemo, type ReactNode } from 'react'
import { ApiError } from '../api/api-error.ts'
import { clearToken, readToken, storeToken } from '../api/token.ts'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { useMessages } from '../ui/language.tsx'
import { AuthContext, type AuthContextValue, type AuthOutcome } from './auth-context.ts'
import type { ClientUser } from './auth-state.ts'
import { endSession, requestLogin, requestProfile, requestRegistration } from './session-calls.ts'
import { useSession } from './use-session.ts'

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
