import { createContext, use } from 'react'
import type { RegisterInput, ProfileUser, RegistrationNotice } from '@starside/contract/auth.ts'

export interface AuthContextValue extends AuthState {
  login: (input: { email: string; password: string }) => Promise<void>
  /** Gives the code of the server's refusal; null without one. */
  register: (input: RegisterInput) => Promise<string | null>
  logout: () => void
  clearError: () => void
  /** Merges changes into the user, unless none differs or somebody else is signed in by then. */
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

/** The user as the client holds it; right after registration only the first three are known. */
export type ClientUser = Pick<ProfileUser, 'userId' | 'email' | 'username'> &
  Partial<ProfileUser> & {
    /** What registering has left to show, once. */
    notices?: readonly RegistrationNotice[]
  }

export interface AuthState {
  user: ClientUser | null
  isAuthenticated: boolean
  isLoading: boolean
  /** True once the stored token was looked at, and from then on. */
  sessionChecked: boolean
  error: string | null
  /** True when the server ended the session by itself: what was chosen is still wanted. */
  sessionLost: boolean
}

type AuthAction =
  | { type: 'start' }
  | { type: 'success'; user: ClientUser }
  | { type: 'failure'; message: string }
  | { type: 'logged-out' }
  /** The server no longer accepts the token, though nobody signed out. */
  | { type: 'session-lost' }
  /** News of the user of that id, who may have signed out meanwhile. */
  | { type: 'update'; userId: string; changes: Partial<ClientUser> }
  | { type: 'clear-error' }

/** Unauthenticated and loading, until the stored token was looked at. */
export const initialAuthState: AuthState = {
  user: null,
  isAuthenticated: false,
  isLoading: true,
  sessionChecked: false,
  error: null,
  sessionLost: false,
}

const signedOut: AuthState = { ...initialAuthState, isLoading: false, sessionChecked: true }

/** The transitions of the specification's section 4, 'Authentication'. */
export function reduceAuth(state: AuthState, action: AuthAction): AuthState {
  switch (action.type) {
    case 'start':
      return { ...state, isLoading: true, error: null }
    case 'success':
      return { ...signedOut, user: action.user, isAuthenticated: true }
    case 'failure':
      return { ...signedOut, error: action.message, sessionLost: state.sessionLost }
    case 'logged-out':
      return signedOut
    case 'session-lost':
      return { ...signedOut, sessionLost: state.isAuthenticated || state.sessionLost }
    case 'update':
      return state.user?.userId === action.userId && changesAnything(state.user, action.changes)
        ? { ...state, user: { ...state.user, ...action.changes } }
        : state
    case 'clear-error':
      return state.error === null ? state : { ...state, error: null }
  }
}

function changesAnything(user: ClientUser, changes: Partial<ClientUser>): boolean {
  return Object.entries(changes).some(([key, value]) => user[key as keyof ClientUser] !== value)
}
