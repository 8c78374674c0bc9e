import { storageKeys } from '@starside/contract/api.ts'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import { testProfile } from './testing/test-auth.ts'
import { LanguageProvider } from '../ui/language.tsx'
import { useAuth } from './auth-context.ts'
import { AuthProvider, useSession } from './auth-provider.tsx'
import * as worker from '../ui/ask-worker.ts'

let questions: HeldQuestion[]
beforeEach(() => {
  questions = holdQuestions()
  localStorage.setItem(storageKeys.authToken, 'first')
})
afterEach(() => {
  localStorage.clear()
  vi.unstubAllGlobals()
})

const profileOf = (username: string) => ({
  success: true,
  user: { ...testProfile, userId: username, username },
})

/** Somebody signs in in another tab, or out without a token. */
async function elsewhere(token: string | null): Promise<void> {
  if (token === null) localStorage.removeItem(storageKeys.authToken)
  else localStorage.setItem(storageKeys.authToken, token)
  await act(async () => {
    dispatchEvent(new StorageEvent('storage', { key: storageKeys.authToken }))
  })
}

/** Somebody clears all that the browser keeps. */
async function clearElsewhere(): Promise<void> {
  localStorage.clear()
  await act(async () => {
    dispatchEvent(new StorageEvent('storage', { key: null }))
  })
}

const open = () => renderHook(() => useSession())

async function openProvider() {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <LanguageProvider initial="en">
      <AuthProvider>{children}</AuthProvider>
    </LanguageProvider>
  )
  return renderHook(() => useAuth(), { wrapper }).result
}

it('a late profile of the session before does not take the place of another tab’s', async () => {
  const { result } = open()
  await elsewhere('second')
  await questions[1]?.answer(profileOf('Bo'))
  await questions[0]?.answer(profileOf('Ada'))
  expect(result.current.state.user?.username).toBe('Bo')
})

it('a late refusal of the session before does not end another tab’s', async () => {
  const { result } = open()
  await elsewhere('second')
  await questions[1]?.answer(profileOf('Bo'))
  await questions[0]?.answer({ success: false, error: 'No.', code: 'unauthorised' }, 401)
  expect(result.current.state.user?.username).toBe('Bo')
  expect(localStorage.getItem(storageKeys.authToken)).toBe('second')
})

it('a profile that comes after another tab has signed out signs nobody in', async () => {
  const { result } = open()
  await elsewhere(null)
  await questions[0]?.answer(profileOf('Ada'))
  expect(result.current.state).toMatchObject({ user: null, isAuthenticated: false })
})

it('whose browser was cleared in another tab is signed out here too', async () => {
  const { result } = open()
  await questions[0]?.answer(profileOf('Ada'))
  expect(result.current.state.isAuthenticated).toBe(true)
  await clearElsewhere()
  expect(result.current.state).toMatchObject({ user: null, isAuthenticated: false })
})

it('nothing is taken in any more once the page is gone', async () => {
  const { unmount } = open()
  unmount()
  await questions[0]?.fail()
  expect(localStorage.getItem(storageKeys.authToken), 'the token stays').toBe('first')
  await elsewhere('second')
  expect(questions).toHaveLength(1)
})

it('who signs in while nothing is known of them is signed out, and keeps no token', async () => {
  localStorage.clear()
  const result = await openProvider()
  const typed = { email: 'ada@example.test', password: 'secret-1' }
  await act(async () => void result.current.login(typed))
  const { userId, email, username } = testProfile
  await questions[0]?.answer({ success: true, token: 'mine', user: { userId, email, username } })
  expect(localStorage.getItem(storageKeys.authToken)).toBe('mine')
  await questions[1]?.fail()
  expect(result.current.error).not.toBeNull()
  expect(result.current.user).toBeNull()
  expect(localStorage.getItem(storageKeys.authToken)).toBeNull()
})

it('who signs out is signed out at the server too, and leaves no picture behind', async () => {
  const result = await openProvider()
  await questions[0]?.answer(profileOf('Ada'))
  localStorage.setItem(storageKeys.generatedImage, '{}')
  localStorage.setItem(storageKeys.runningGeneration, 'one')
  act(() => result.current.logout())
  expect(questions.at(-1)).toMatchObject({ method: 'POST', address: '/api/auth?action=logout' })
  expect([result.current.user, localStorage.length]).toEqual([null, 0])
})

it('an invitation is used up by registering', async () => {
  localStorage.clear()
  sessionStorage.setItem(storageKeys.referralCode, 'FRIEND')
  const result = await openProvider()
  const person = { email: 'ada@example.test', password: 'secret-1', username: 'ada' }
  await act(async () => void result.current.register({ ...person, referralCode: 'FRIEND' }))
  const { userId, email, username } = testProfile
  const user = { userId, email, username }
  await questions[0]?.answer({ success: true, token: 'mine', user, notices: [] })
  expect(result.current.user).toMatchObject({ userId })
  expect(sessionStorage.getItem(storageKeys.referralCode)).toBeNull()
})

it('the page is uncovered once it is known who is signed in', async () => {
  document.documentElement.dataset['auth'] = 'pending'
  open()
  expect(document.documentElement.dataset['auth']).toBe('pending')
  await questions[0]?.answer(profileOf('Ada'))
  expect(document.documentElement.dataset['auth']).toBeUndefined()
})

const credentials = { email: 'ada@example.test', password: 'secret-1' }
const person = { ...credentials, username: 'ada', referralCode: null }

it.each([
  ['signing in', 'login', 'Login failed'],
  ['registering', 'register', 'Registration failed'],
] as const)(
  '%s does the work that is asked for, and says what failed',
  async (_what, name, says) => {
    localStorage.clear()
    vi.spyOn(worker, 'askWorker').mockResolvedValue('a proof')
    const result = await openProvider()
    await act(async () => void result.current[name](person))
    expect(result.current).toMatchObject({ isLoading: true, error: null })
    const refusal = { success: false, error: 'Work first.', code: 'proof_required' }
    await questions[0]?.answer(refusal, 429)
    await questions[1]?.answer({ success: true, challenge: 'a challenge' })
    expect(questions[2]?.body).toMatchObject({ ...credentials, proof: 'a proof' })
    await questions[2]?.fail()
    expect(result.current).toMatchObject({ isLoading: false, error: expect.stringContaining(says) })
    vi.restoreAllMocks()
  },
)

it('who has just registered brings along what the new account did not get', async () => {
  localStorage.clear()
  const result = await openProvider()
  await act(async () => void result.current.register(person))
  const { userId, email, username } = testProfile
  const notices = ['signup_credit_used']
  const user = { userId, email, username }
  await questions[0]?.answer({ success: true, token: 'mine', user, notices })
  expect(result.current.user).toEqual({ ...user, notices })
  expect(localStorage.getItem(storageKeys.authToken)).toBe('mine')
})

it('news of the user are read for who is signed in alone', async () => {
  const result = await openProvider()
  await questions[0]?.answer(profileOf('Ada'))
  await act(async () => void result.current.refreshUser())
  expect(questions).toHaveLength(2)
  const { user } = profileOf('Ada')
  await questions[1]?.answer({ success: true, user: { ...user, creditsBalance: 9 } })
  expect(result.current.user?.creditsBalance).toBe(9)
  localStorage.clear()
  await act(async () => void result.current.refreshUser())
  act(() => result.current.logout())
  expect(questions, 'nothing is asked without a token').toHaveLength(2)
})

it('what another tab keeps besides says nothing of who is signed in', async () => {
  open()
  await act(async () => {
    dispatchEvent(new StorageEvent('storage', { key: storageKeys.paymentOrders }))
  })
  expect(questions).toHaveLength(1)
})

it('a session that the server ended is lost here, with what belonged to it', async () => {
  const { result } = open()
  await questions[0]?.answer(profileOf('Ada'))
  localStorage.setItem(storageKeys.generatedImage, '{}')
  localStorage.setItem(storageKeys.runningGeneration, 'one')
  act(() => void dispatchEvent(new Event('session-ended')))
  expect(result.current.state).toMatchObject({ user: null, sessionLost: true })
  expect(localStorage.length).toBe(0)
})
