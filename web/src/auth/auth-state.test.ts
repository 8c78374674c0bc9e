import { expect, it } from 'vitest'
import { initialAuthState, reduceAuth } from './auth-context.ts'

const user = { userId: '1', email: 'a@b.c', username: 'ada', creditsBalance: 1 }
const signedIn = reduceAuth(initialAuthState, { type: 'success', user })

it('begins signed out and loading', () => {
  expect(initialAuthState).toMatchObject({ user: null, isAuthenticated: false, isLoading: true })
})

it('is loading without an error while signing in', () => {
  const failed = reduceAuth(initialAuthState, { type: 'failure', message: 'no' })
  expect(reduceAuth(failed, { type: 'start' })).toMatchObject({ isLoading: true, error: null })
})

it('keeps the message and forgets the user on failure', () => {
  expect(reduceAuth(signedIn, { type: 'failure', message: 'no' })).toMatchObject({
    user: null,
    isAuthenticated: false,
    isLoading: false,
    error: 'no',
  })
})

it('merges changes into the user, and into nobody when signed out', () => {
  const changes = { creditsBalance: 0 }
  expect(reduceAuth(signedIn, { type: 'update', userId: '1', changes }).user).toEqual({
    ...user,
    creditsBalance: 0,
  })
  const signedOut = reduceAuth(signedIn, { type: 'logged-out' })
  expect(reduceAuth(signedOut, { type: 'update', userId: '1', changes })).toBe(signedOut)
})

it('merges late news of one user into no other', () => {
  const other = reduceAuth(signedIn, { type: 'success', user: { ...user, userId: '2' } })
  const changes = { creditsBalance: 7 }
  expect(reduceAuth(other, { type: 'update', userId: '1', changes })).toBe(other)
})

it('stays the same state when a change changes nothing', () => {
  const changes = { creditsBalance: 1, username: 'ada' }
  expect(reduceAuth(signedIn, { type: 'update', userId: '1', changes })).toBe(signedIn)
})

it('tells a lost session from a sign-out, until somebody is signed in again', () => {
  const lost = reduceAuth(signedIn, { type: 'session-lost' })
  expect(lost).toMatchObject({ user: null, isAuthenticated: false, sessionLost: true })
  expect(reduceAuth(lost, { type: 'failure', message: 'no' }).sessionLost).toBe(true)
  expect(reduceAuth(lost, { type: 'success', user }).sessionLost).toBe(false)
  expect(reduceAuth(signedIn, { type: 'logged-out' }).sessionLost).toBe(false)
  expect(reduceAuth(initialAuthState, { type: 'session-lost' }).sessionLost).toBe(false)
})

it('a session that is lost twice is lost, and an error that is over is cleared once', () => {
  const lost = reduceAuth(signedIn, { type: 'session-lost' })
  expect(reduceAuth(lost, { type: 'session-lost' }).sessionLost).toBe(true)
  expect(reduceAuth(signedIn, { type: 'clear-error' })).toBe(signedIn)
  const failed = reduceAuth(signedIn, { type: 'failure', message: 'no' })
  expect(reduceAuth(failed, { type: 'clear-error' }).error).toBeNull()
})
