import { createContext, use } from 'react'
import type { RegisterInput } from '@starside/contract/auth.ts'
import type { AuthState, ClientUser } from './auth-state.ts'

/** The outcome of signing in or up: `code` names the failure where the server did. */
export type AuthOutcome = { success: true } | { success: false; code: string | null }

export interface AuthContextValue extends AuthState {
  login: (input: { email: string; password: string }) => Promise<AuthOutcome>
  register: (input: RegisterInput) => Promise<AuthOutcome>
  logout: () => void
  /** Takes over a token that the server issued anew, as after a change of password. */
  replaceToken: (token: string) => void
  clearError: () => void
  /**
   * Merges `changes` into the user; nothing happens when no value differs, or when somebody else is
   * signed in by then.
   */
  updateUser: (changes: Partial<ClientUser>) => void
  /** Reads balance, referral code and counts from the server; only when signed in. */
  refreshUser: () => Promise<void>
}

export const AuthContext = createContext<AuthContextValue | null>(null)

/** The authentication state and its acts. Throws outside of `AuthProvider`. */
export function useAuth(): AuthContextValue {
  const value = use(AuthContext)
  if (!value) throw new Error('useAuth must be used within an AuthProvider')
  return value
}
