import { storageKeys } from '@starside/contract/api.ts'
import { unknownPagePath } from '@starside/contract/pages.ts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdQuestions } from '../api/testing/test-answers.ts'
import { AuthContext, type AuthContextValue } from '../auth/auth-context.ts'
import { show } from '../auth/testing/show.tsx'
import { testAuth, testProfile } from '../auth/testing/test-auth.ts'
import { triedStar } from '../generation/selfie-draft.ts'
import { stubDatabases } from '../install/testing/test-database.ts'
import { settle } from '../ui/testing/press-each.ts'
import { useLocation } from '../ui/router.tsx'
import { LandingPage } from './landing-page.tsx'

let questions: ReturnType<typeof holdQuestions>
beforeEach(() => {
  questions = holdQuestions()
})
afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
})

/** Begins as a picture; no browser of a test reads it. */
const picture = (name = 'me.jpg') => new File([new Uint8Array([0xff, 0xd8, 0xff])], name)
const signedIn = { ...testAuth, user: testProfile, isAuthenticated: true }
/** As in the app, it goes once another page is shown. */
const Landing = () => (useLocation().pathname === '/' ? <LandingPage /> : null)
const page = (auth: AuthContextValue) => (
  <AuthContext value={auth}>
    <Landing />
  </AuthContext>
)
const open = (address: string, auth: AuthContextValue = testAuth) => {
  history.replaceState(null, '', address)
  return show(page(auth))
}
const address = () => location.pathname + location.search

it.each([
  ['a stranger to registering', testAuth, '/auth?mode=register'],
  ['a user to the dashboard', signedIn, '/dashboard'],
])('a voucher’s link leads %s, once it is known who comes', async (_who, auth, leadsTo) => {
  const { again } = await open('/?voucher=GIFT', { ...auth, sessionChecked: false })
  expect([address(), sessionStorage.getItem(storageKeys.voucherCode)]).toEqual([
    '/?voucher=GIFT',
    null,
  ])
  await again(page(auth))
  expect([address(), sessionStorage.getItem(storageKeys.voucherCode)]).toEqual([leadsTo, 'GIFT'])
})

it('what an address opens is closed without a way back to it', async () => {
  await open('/?verify')
  const entries = history.length
  await screen.findByRole('dialog')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect([address(), history.length]).toEqual(['/', entries])
})

it('a mail’s link confirms its address', async () => {
  await open('/?confirm#token=of-this-test')
  await screen.findByRole('dialog')
  await waitFor(() =>
    expect(questions.at(-1)).toMatchObject({
      address: '/api/auth?action=confirm-email',
      body: { token: 'of-this-test' },
    }),
  )
})

/** Puts a file into the field of the live example; as in browsers, one that is emptied has none. */
const bring = (file: File) =>
  act(async () => {
    const field = document.querySelector('input[type=file]')!
    let files = [file]
    Object.defineProperty(field, 'files', { configurable: true, get: () => files })
    const empty = (): void => void (files = [])
    Object.defineProperty(field, 'value', { configurable: true, get: () => '', set: empty })
    fireEvent.change(field)
  })
const choose = (name: 'face' | 'star', value: string) =>
  fireEvent.click(document.querySelector(`input[name=${name}][value=${value}]`)!)
const checked = () =>
  [...document.querySelectorAll<HTMLInputElement>('input:checked')].map(({ value }) => value)
const registering = '/auth?mode=register'
const signUp = { name: 'Sign up to make this selfie' }
/** What the photo check of strangers is asked, once it is. */
const check = () =>
  waitFor(() => {
    const asked = questions.findLast((one) => one.address === '/api/ai?action=check')
    expect(asked).toBeDefined()
    return asked!
  })
const found = { x: 0.3, y: 0.2, width: 0.3, height: 0.3, isMain: true, refusals: [] }
const findings = { success: true, hints: [], widthPx: 600, heightPx: 750 }
const fit = { ...findings, usable: true, faces: [found], refusals: [] }

it('who tries it with their own photo is told of the face first, and finds photo and star in the studio', async () => {
  const databases = stubDatabases()
  await open('/')
  const shownStar = document.querySelector<HTMLInputElement>('input[name=star]:checked')?.value
  expect(shownStar).toBeTruthy()
  await bring(picture())
  const field = document.querySelector<HTMLInputElement>('input[type=file]')
  expect(field?.files, 'so that it can be chosen again').toHaveLength(0)
  const asked = await check()
  expect(screen.queryByRole('button', signUp)).toBeNull()
  expect([databases.size, address()], 'nothing is kept before').toEqual([0, '/'])
  await asked.answer(fit)
  expect(screen.getByText("Great photo. You're ready.")).toBeTruthy()
  fireEvent.click(screen.getByRole('button', signUp))
  await settle()
  expect([[...databases.keys()], triedStar(), address()]).toEqual([
    ['shared_photo'],
    shownStar,
    '/auth?mode=register',
  ])
})

it.each([
  ['the sign-in', () => screen.getByRole('link', { name: 'Sign In' }), '/auth'],
  ['the main button', () => screen.getAllByRole('button', { name: /^Try Now/ })[0]!, registering],
  ['the closing call', () => screen.getAllByRole('button', { name: /^Try Now/ })[1]!, registering],
])('photo and star of who goes on by %s wait for the studio too', async (_way, part, leadsTo) => {
  const databases = stubDatabases()
  await open('/')
  const [, star] = checked()
  await bring(picture())
  await (await check()).answer(fit)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  fireEvent.click(part())
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  vi.useRealTimers()
  await settle()
  expect(history.state).toEqual({ photo: expect.stringMatching(/^blob:/), star })
  expect([[...databases.keys()], triedStar(), address()]).toEqual([['shared_photo'], star, leadsTo])
})

it.each([
  ['a sample face', () => choose('face', 'face-2')],
  ['a page beside', () => fireEvent.click(screen.getByRole('link', { name: 'Legal notice' }))],
])('nothing is kept of who goes on to %s', async (_where, go) => {
  const databases = stubDatabases()
  await open('/')
  await bring(picture())
  await (await check()).answer(fit)
  go()
  await settle()
  expect([databases.size, triedStar()]).toEqual([0, null])
  if (address() === '/') choose('face', 'face-1')
})

it('a photo without a face is refused on the spot, and another one is tried', async () => {
  await open('/')
  await bring(picture())
  const refusals = [{ code: 'face_missing', sentence: 'No face was found.' }]
  await (await check()).answer({ ...findings, usable: false, faces: [], refusals })
  expect(screen.getByText('No face was found.')).toBeTruthy()
  expect([screen.queryByRole('button', signUp), address()]).toEqual([null, '/'])
  await bring(picture('another.jpg'))
  await waitFor(() => expect(screen.queryByText('No face was found.')).toBeNull())
  await (await check()).answer(fit)
  expect(screen.getByRole('button', signUp)).toBeTruthy()
})

it('an own photo stands beside the star at once, until a sample face is chosen, whatever star stands beside it', async () => {
  await open('/')
  const [face, star] = checked()
  const shown = () => document.querySelectorAll('#own-photo > *').length
  const isNoted = () =>
    !screen.getByText(/^All people shown are AI-generated/).classList.contains('invisible')
  expect([shown(), isNoted()]).toEqual([0, true])
  await bring(picture())
  await check()
  expect([shown(), checked()], 'while it is looked at').toEqual([1, [star]])
  expect(isNoted(), 'it would not be true').toBe(false)
  await (await check()).answer(fit)
  choose('star', 'mina-asakuri')
  expect([shown(), checked()]).toEqual([1, ['mina-asakuri']])
  await bring(picture('curtain.jpg'))
  const refusals = [{ code: 'face_missing', sentence: 'No face was found.' }]
  await (await check()).answer({ ...findings, usable: false, faces: [], refusals })
  expect(screen.getByText('No face was found.')).toBeTruthy()
  expect(screen.queryByRole('button', signUp), 'a refused one leads nowhere').toBeNull()
  choose('face', face!)
  expect([shown(), checked()]).toEqual([0, [face, 'mina-asakuri']])
  expect(screen.queryByText('No face was found.')).toBeNull()
  choose('star', star!)
})

it('a check that nobody can make stands in nobody’s way', async () => {
  await open('/')
  await bring(picture())
  await (await check()).answer({ success: false, code: 'too_many_requests', error: 'Wait.' }, 429)
  expect(screen.getByRole('button', signUp)).toBeTruthy()
})

it('a file that is no picture is refused on the spot, and goes nowhere', async () => {
  const databases = stubDatabases()
  await open('/')
  await bring(new File(['all is well'], 'server.log'))
  expect(await screen.findByText(/^We can't read this file\. Use JPEG/)).toBeTruthy()
  expect(questions.map(({ address: asked }) => asked)).not.toContain('/api/ai?action=check')
  expect([databases.size, address()]).toEqual([0, '/'])
})

it('the photo of who is signed in is looked at in the studio', async () => {
  const databases = stubDatabases()
  await open('/', signedIn)
  await bring(picture())
  await waitFor(() => expect(address()).toBe('/dashboard'))
  expect([...databases.keys()]).toEqual(['shared_photo'])
})

it('who is signed in starts at once, without being led to registration', async () => {
  await open('/', signedIn)
  fireEvent.click(screen.getAllByRole('button', { name: /Start/ })[0]!)
  expect(address()).toBe('/dashboard')
})

it('who starts as a stranger is told that something happens before they are led on', async () => {
  const { unmount } = await open('/')
  const start = screen.getAllByRole('button', { name: "Try Now - It's Free!" })[0]!
  fireEvent.click(start)
  expect([start.textContent, start.getAttribute('aria-disabled')]).toEqual([
    'Processing Magic...',
    'true',
  ])
  expect(address()).toBe('/')
  unmount()
})

it.each([
  ['a stranger', testAuth, true],
  ['somebody who is signed in', signedIn, false],
])('%s reads only what is true of them', async (_who, auth, isTold) => {
  await open('/', auth)
  const text = document.body.textContent ?? ''
  expect(text.includes('1 free credit on signup')).toBe(isTold)
  expect(text).not.toContain('first selfie is free')
  expect(screen.queryAllByText(/We delete your photos when/)).toHaveLength(isTold ? 1 : 2)
})

it('a voucher’s link takes a friend’s code along, and leaves no way back to itself', async () => {
  const entries = history.length
  await open('/?voucher=GIFT&ref=BO')
  expect([address(), history.length]).toEqual(['/auth?mode=register&ref=BO', entries])
})

it.each([
  [unknownPagePath, true],
  ['/#how', false],
  ['/', false],
])('an address like %s leads to a page that does not exist: %s', async (path, isUnknown) => {
  await open(path)
  const told = screen.queryAllByRole('alert').filter(({ id }) => id === 'unknown-page')
  expect(told).toHaveLength(isUnknown ? 1 : 0)
})

it('who starts is led on after two seconds, once, with the code of an earlier link', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  sessionStorage.setItem(storageKeys.referralCode, 'FRIEND')
  await open('/')
  const led = vi.spyOn(history, 'pushState')
  const start = screen.getAllByRole('button', { name: "Try Now - It's Free!" })[0]!
  fireEvent.click(start)
  await act(() => vi.advanceTimersByTimeAsync(1_999))
  fireEvent.click(start)
  expect(address()).toBe('/')
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(led.mock.calls.map(([, , to]) => to)).toEqual(['/auth?mode=register&ref=FRIEND'])
  led.mockRestore()
  vi.useRealTimers()
})

it('a face and a star that are tried show their picture, and are there for who comes back', async () => {
  const { unmount } = await open('/')
  const [face, star] = checked()
  choose('face', 'face-4')
  expect(triedStar(), 'a face alone chooses no star').toBeNull()
  choose('star', 'mina-asakuri')
  expect(triedStar()).toBe('mina-asakuri')
  const shown = () =>
    [...document.querySelectorAll<HTMLImageElement>('#main figure img[alt*="Mina Asakuri"]')].map(
      ({ src }) => new URL(src).pathname,
    )
  expect(shown()).toEqual([expect.stringMatching(/^\/examples\/face-4\/mina-asakuri\/result-/)])
  unmount()
  await open('/')
  expect(checked()).toEqual(['face-4', 'mina-asakuri'])
  expect(shown()).toHaveLength(1)
  choose('face', face!)
  choose('star', star!)
})

it.each([
  ['a stranger, with a friend’s code, to registering', testAuth, '/auth?mode=register&ref=BO'],
  ['a user to the studio', signedIn, '/dashboard'],
])('an own photo leads %s, also where the browser keeps nothing', async (_who, auth, leadsTo) => {
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException('Not here', 'SecurityError')
    },
  })
  await open('/?ref=BO', auth)
  await bring(picture())
  if (!auth.isAuthenticated) {
    await (await check()).answer(fit)
    fireEvent.click(screen.getByRole('button', signUp))
  }
  await waitFor(() =>
    expect(history.state).toEqual({ photo: expect.stringMatching(/^blob:/), star: triedStar() }),
  )
  expect([triedStar() === null, address()]).toEqual([false, leadsTo])
})

it.each([
  ['a stranger waits for their studio', testAuth, true],
  ['a user leaves the star of their studio alone', signedIn, false],
])('the example’s star of %s', async (_who, auth, waits) => {
  await open('/', auth)
  const stars = document.querySelectorAll<HTMLInputElement>('[name=star]')
  const another = [...stars].find((star) => !star.checked)!
  fireEvent.click(another)
  expect(triedStar()).toBe(waits ? another.value : null)
})
