import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { AuthContextValue } from '../auth/auth-context.ts'
import { show } from '../auth/testing/show.tsx'
import { AudienceGate } from './app.tsx'

afterEach(() => history.replaceState(null, '', '/'))

const stranger = { user: null, isAuthenticated: false } satisfies Partial<AuthContextValue>
type Audience = Parameters<typeof AudienceGate>[0]['audience']

/** Opens a page for that audience; answers what is shown and where one is then. */
async function open(audience: Audience, address: string, auth = {}, state: unknown = null) {
  cleanup()
  history.replaceState(state, '', address)
  await show(<AudienceGate audience={audience}>The page</AudienceGate>, { auth })
  return [screen.queryByText('The page') !== null, location.pathname + location.search]
}

it('a page for who is signed in leads strangers to signing in, which knows where they were', async () => {
  expect(await open('signed-in', '/gallery?star=x')).toEqual([true, '/gallery?star=x'])
  expect(await open('signed-in', '/gallery?star=x', stranger)).toEqual([false, '/auth'])
  const { from } = history.state as { from: { pathname: string; search: string } }
  expect([from.pathname, from.search]).toEqual(['/gallery', '?star=x'])
})

it('nothing is shown or left before it is known who is signed in', async () => {
  const unknown = { ...stranger, sessionChecked: false, isLoading: true }
  expect(await open('signed-in', '/gallery', unknown)).toEqual([false, '/gallery'])
  expect(screen.getByRole('status')).toBeTruthy()
})

it.each([
  [{ from: { pathname: '/gallery', search: '?star=x' } }, '/gallery?star=x'],
  [{ from: { pathname: '/terms', search: '' } }, '/dashboard'],
  [{ from: { pathname: '//evil.example', search: '' } }, '/dashboard'],
  [null, '/dashboard'],
])('who signed in and came with %j goes on to %s', async (state, address) => {
  expect((await open('signed-out', '/auth', {}, state))[1]).toBe(address)
})

it('a link that sets a new password opens for who is signed in too', async () => {
  const address = '/auth?mode=reset'
  expect(await open('signed-out', address)).toEqual([true, address])
})

it('a page for everybody is shown to all', async () => {
  expect(await open('everyone', '/terms')).toEqual([true, '/terms'])
  expect((await open('everyone', '/terms', stranger))[0]).toBe(true)
})
