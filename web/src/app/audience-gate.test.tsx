import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { AuthContext, type AuthContextValue } from '../auth/auth-context.ts'
import { show } from '../auth/testing/show.tsx'
import { testAuth, testProfile } from '../auth/testing/test-auth.ts'
import {
  draftOf,
  forgetDraft,
  keepDraft,
  rememberTriedStar,
  triedStar,
} from '../generation/selfie-draft.ts'
import { testChoices } from '../generation/testing/test-choices.ts'
import { stubDatabases } from '../install/testing/test-database.ts'
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
  [{ from: null }, '/dashboard'],
  ['elsewhere', '/dashboard'],
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

it.each([
  ['signs out takes along what was chosen', false, [false, null]],
  ['loses the session finds again what was chosen', true, [true, 'ada-vale']],
])('who %s', async (_who, sessionLost, left) => {
  const signedIn = { ...testAuth, user: testProfile, isAuthenticated: true }
  const gate = (auth: AuthContextValue) => (
    <AuthContext value={auth}>
      <AudienceGate audience="everyone">The page</AudienceGate>
    </AuthContext>
  )
  keepDraft({ ...testChoices, userId: 'u1', borrowed: false, used: null })
  rememberTriedStar('ada-vale')
  const { again } = await show(gate(signedIn))
  expect([draftOf('u1') !== null, triedStar()]).toEqual([true, 'ada-vale'])
  await again(gate({ ...testAuth, sessionLost }))
  expect([draftOf('u1') !== null, triedStar()]).toEqual(left)
  forgetDraft()
  rememberTriedStar(null)
})

it('what a stranger has chosen on the landing page waits for their account', async () => {
  rememberTriedStar('ada-vale')
  await open('everyone', '/', stranger)
  expect(triedStar()).toBe('ada-vale')
  rememberTriedStar(null)
})

it('a page for everybody waits behind the spinner alone, and a form stays while it signs in', async () => {
  await open('everyone', '/terms', { ...stranger, isLoading: true, sessionChecked: false })
  expect(screen.getByRole('status').textContent).toBe('Loading...')
  await open('everyone', '/terms', stranger)
  expect(screen.queryByRole('status')).toBeNull()
  expect(await open('signed-out', '/auth', { ...stranger, isLoading: true })).toEqual([
    true,
    '/auth',
  ])
})

it('what was chosen stays until it is known that nobody is signed in', async () => {
  keepDraft({ ...testChoices, userId: 'u1', borrowed: false, used: null })
  await open('everyone', '/', { ...stranger, isLoading: true, sessionChecked: false })
  expect(draftOf('u1')).not.toBeNull()
  await open('everyone', '/', stranger)
  expect(draftOf('u1')).toBeNull()
})

it('a photo that was shared goes with who signs out', async () => {
  const databases = stubDatabases()
  databases.set('shared_photo', new Map())
  const gate = (auth: AuthContextValue) => (
    <AuthContext value={auth}>
      <AudienceGate audience="everyone">The page</AudienceGate>
    </AuthContext>
  )
  const { again } = await show(gate({ ...testAuth, user: testProfile, isAuthenticated: true }))
  expect([...databases.keys()]).toEqual(['shared_photo'])
  await again(gate(testAuth))
  expect([...databases.keys()]).toEqual([])
  vi.unstubAllGlobals()
})
