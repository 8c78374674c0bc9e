import type { AuthContextValue } from './auth-context.ts'

const done = async () => ({ success: true }) as const

/** Nobody signed in, and acts that do nothing, for tests to lay their own over. */
export const testAuth: AuthContextValue = {
  user: null,
  isAuthenticated: false,
  isLoading: false,
  sessionChecked: true,
  sessionLost: false,
  error: null,
  login: done,
  register: done,
  logout: () => undefined,
  replaceToken: () => undefined,
  clearError: () => undefined,
  updateUser: () => undefined,
  refreshUser: async () => undefined,
}
