import type { ProfileUser } from '@starside/contract/auth.ts'
import type { AuthContextValue } from '../auth-context.ts'

/** Nobody signed in, and acts that do nothing, for tests to lay their own over. */
export const testAuth: AuthContextValue = {
  user: null,
  isAuthenticated: false,
  isLoading: false,
  sessionChecked: true,
  sessionLost: false,
  error: null,
  login: async () => undefined,
  register: async () => null,
  logout: () => undefined,
  clearError: () => undefined,
  updateUser: () => undefined,
  refreshUser: async () => undefined,
}

/** Somebody as the server knows them, for tests. */
export const testProfile: ProfileUser = {
  userId: 'u1',
  email: 'ada@example.test',
  username: 'Ada',
  referralCode: 'ADA12345',
  creditsBalance: 3,
  creditsOwed: 0,
  totalCreditsEverBought: 0,
  friendsReferred: 0,
  selfiesCreated: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  termsToAccept: null,
}
