import { languages } from '@starside/contract/languages.ts'
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import * as publicSettings from '../api/public-settings.ts'
import { testSettings } from '../api/testing/test-settings.ts'
import { AccountPage } from '../auth/account-page.tsx'
import type { AuthContextValue } from '../auth/auth-context.ts'
import { AuthPage } from '../auth/auth-page.tsx'
import { ConfirmDialog } from '../auth/confirm-dialog.tsx'
import { show } from '../auth/testing/show.tsx'
import { testProfile } from '../auth/testing/test-auth.ts'
import { CreditTable } from '../credits/credit-table.tsx'
import type { LegalElement, LegalNode } from '@starside/contract/legal.ts'
import { legalDataId } from '@starside/contract/legal-pages.ts'
import messages from '@starside/contract/texts/en/auth.json'
import { LegalNodes, PrivacyPage } from '../legal/legal-page.tsx'
import { VerifyDialog } from '../provenance/verify-dialog.tsx'
import { ReportDialog } from '../reports/report-dialog.tsx'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import { outline } from '../ui/testing/outline.ts'
import {
  answerRequests,
  happened,
  noted,
  notedLater,
  pressEach,
  settle,
  stopTime,
} from '../ui/testing/press-each.ts'
import { Loading } from './app.tsx'
import { LandingPage } from './landing-page.tsx'

beforeEach(async () => {
  stopTime(Date.parse('2026-11-22T12:00:00Z'))
  vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue(testSettings)
  answerRequests()
  await Promise.all(languages.map((language) => loadCatalogue('shell', language)))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
  sessionStorage.clear()
  delete document.documentElement.dataset['theme']
  history.replaceState(null, '', '/')
})

const done = (name: string) => async (input: unknown) => {
  noted(name)(input)
  return null
}
/** Acts that are only noted. */
const acts: Partial<AuthContextValue> = {
  login: notedLater('login'),
  register: done('register'),
  logout: noted('logout'),
  clearError: noted('clearError'),
  updateUser: noted('updateUser'),
  refreshUser: notedLater('refreshUser'),
}
const signedOut: Partial<AuthContextValue> = { ...acts, user: null, isAuthenticated: false }

const isInMain = (control: Element): boolean => control.closest('main') !== null

/** What leads elsewhere for somebody who is signed in. */
const isOfBrowsing = (control: Element): boolean =>
  control.matches('header a, main button, main .button')

/** Faces and stars stand for each other; languages have a test of their own. */
const isOfLanding = (control: Element): boolean =>
  !control.matches('select') &&
  (!control.matches('[type=radio]') || control.matches('[value=face-2], [value=amara-okwenna]'))

async function at(
  address: string,
  part: React.ReactNode,
  auth: Partial<AuthContextValue> = signedOut,
): Promise<void> {
  cleanup()
  history.replaceState(null, '', address)
  await show(part, { auth })
  await settle()
}

it.each([
  ['signed out', signedOut],
  ['signed in', acts],
])('the landing page, %s: what it says, and where each control leads', async (_who, auth) => {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:own')
  await at('/?ref=ADA12345', <LandingPage />, auth)
  expect(outline()).toMatchSnapshot()
  expect(sessionStorage.getItem('referral_code')).toBe('ADA12345')
  const isAsked = auth === acts ? isOfBrowsing : isOfLanding
  expect(await pressEach(() => at('/', <LandingPage />, auth), isAsked)).toMatchSnapshot()
})

it.each([
  ['signing in', '/auth', signedOut],
  ['a lost session', '/auth', { ...signedOut, sessionLost: true }],
  ['a failure', '/auth', { ...signedOut, error: 'Wrong password.' }],
  ['work under way', '/auth', { ...signedOut, isLoading: true }],
  ['registering', '/auth?mode=register', signedOut],
  ['an invitation', '/auth?ref=BO%2012345', signedOut],
  ['an invitation of somebody with an account', '/auth?mode=login&ref=BO', signedOut],
  ['a forgotten password', '/auth?mode=forgot', signedOut],
  ['a new password', '/auth?mode=reset#token=abc', signedOut],
  ['a link without its token', '/auth?mode=reset', signedOut],
])('the page of accounts shows %s', async (_what, address, auth) => {
  await at(address, <AuthPage />, auth)
  expect(outline(document.querySelector('main')!)).toMatchSnapshot()
})

it('the page of accounts says that a voucher waits, and after a reset that the new password serves', async () => {
  sessionStorage.setItem('voucher_code', 'GIFT')
  history.replaceState({ notice: 'reset' }, '', '/auth')
  await show(<AuthPage />, { auth: signedOut })
  expect(outline(document.querySelector('main')!)).toMatchSnapshot()
})

it('who has just set a new password is not told that their session has ended', async () => {
  history.replaceState({ notice: 'reset' }, '', '/auth')
  await show(<AuthPage />, { auth: { ...signedOut, sessionLost: true } })
  const said = screen.getAllByRole('status').map(({ textContent }) => textContent)
  expect(said).toContain(messages.resetDone)
})

it.each(['/auth', '/auth?mode=register', '/auth?mode=forgot', '/auth?mode=reset#token=abc'])(
  'each control of %s does what it says',
  async (address) => {
    const main = () => at(address, <AuthPage />)
    expect(await pressEach(main, isInMain)).toMatchSnapshot()
  },
)

const sessions = {
  success: true,
  sessions: [
    { id: 's1', userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', isCurrent: true },
    { id: 's2', userAgent: 'Mozilla/5.0 (iPhone) Version/18.0 Safari/604.1', isCurrent: false },
    { id: 's3', userAgent: '', isCurrent: false },
  ].map((session) => ({
    ...session,
    createdAt: '2026-11-22T12:00:00Z',
    expiresAt: '2026-12-22T12:00:00Z',
    address: '192.0.2.1',
  })),
}

it('the account page lists what it knows, and each control does what it says', async () => {
  const user = { ...testProfile, creditsBalance: 3, selfiesCreated: 7 }
  const open = async (): Promise<void> => {
    answerRequests({ 'GET /api/auth?action=sessions': sessions })
    await at('/dashboard?view=account', <AccountPage />, { ...acts, user })
  }
  await open()
  expect(outline()).toMatchSnapshot()
  expect(await pressEach(open)).toMatchSnapshot()
})

it('the sessions say that they load, and that they could not be loaded', async () => {
  await at('/dashboard?view=account', <AccountPage />, acts)
  expect(screen.getByText('Loading the list...')).toBeTruthy()
  answerRequests({ 'GET /api/auth?action=sessions': 500 })
  await at('/dashboard?view=account', <AccountPage />, acts)
  expect(screen.getByText(/The list could not be loaded/)).toBeTruthy()
})

it.each([
  ['is confirmed', { success: true }, 'GOOD'],
  ['is not', 400, 'BAD'],
  ['is being confirmed', undefined, 'SLOW'],
])('an address that %s', async (_how, answer, token) => {
  const address = 'POST /api/auth?action=confirm-email'
  answerRequests(answer === undefined ? {} : { [address]: answer })
  await at(`/?confirm#token=${token}`, <ConfirmDialog onClose={noted('close')} />)
  expect(outline()).toMatchSnapshot()
  const question = `${address} {"token":"${token}"}`
  // As who comes back to the page does.
  await at(`/?confirm#token=${token}`, <ConfirmDialog onClose={noted('close')} />)
  expect(happened.filter((line) => line === question)).toHaveLength(1)
})

it.each([
  ['checking a picture', () => <VerifyDialog onClose={noted('close')} />],
  ['a report', () => <ReportDialog reported="AAAAAAAAAAAAAAAAAAAAAA" onClose={noted('close')} />],
])('the dialog of %s, and each control of it', async (_what, part) => {
  await at('/', part())
  expect(outline()).toMatchSnapshot()
  expect(await pressEach(() => at('/', part()))).toMatchSnapshot()
})

it.each([
  ['loads', undefined],
  ['fails', 500],
])('a page of the law %s', async (_how, answer) => {
  const address = 'GET /api/legal/privacy?language=en'
  answerRequests(answer === undefined ? {} : { [address]: answer })
  await at('/privacy', <PrivacyPage />)
  expect(outline(document.querySelector('main')!)).toMatchSnapshot()
  expect(happened).toContain(address)
})

it('a page of the law that the server has filled asks for nothing', async () => {
  const data = document.body.appendChild(document.createElement('script'))
  Object.assign(data, { type: 'application/json', id: legalDataId })
  const blocks = [{ tag: 'p', children: ['Your photos stay here.'] }]
  data.textContent = JSON.stringify({ success: true, page: 'privacy', language: 'en', blocks })
  happened.length = 0
  history.replaceState(null, '', '/privacy')
  await show(<PrivacyPage />, { auth: signedOut })
  await settle()
  expect(screen.getByText('Your photos stay here.')).toBeTruthy()
  expect(happened).toEqual([])
})

it('a page of the law gives up its question when it is left', async () => {
  history.replaceState(null, '', '/privacy')
  const { unmount } = await show(<PrivacyPage />, { auth: signedOut })
  unmount()
  expect(happened.at(-1)).toBe('aborted GET /api/legal/privacy?language=en')
})

it('every part of a legal text has its own element', async () => {
  const of = (tag: LegalElement['tag'], ...children: LegalNode[]) => ({ tag, children })
  const paragraph = of('p', 'word')
  await at(
    '/',
    <LegalNodes
      nodes={[
        of('h2', 'word'),
        of('h3', 'word'),
        of('h4', 'word'),
        of('p', of('strong', 'word'), of('br')),
        of('blockquote', paragraph),
        of('p', { ...of('a', 'word'), href: '/terms' }),
        of('p', of('em', 'word')),
        of('p', of('code', 'code')),
        of('ol', of('li', paragraph)),
        of('ul', of('li', paragraph)),
        of('hr'),
      ]}
    />,
  )
  expect(outline()).toMatchSnapshot()
})

it('the credit history has a sign, a reason and a line for each entry', async () => {
  const entry = { id: '', at: '2026-11-22T12:00:00Z', description: '', celebrities: [] }
  const items = [
    { ...entry, id: '1', amount: 40, reason: 'purchase' },
    { ...entry, id: '2', amount: -1, reason: 'usage', celebrities: ['Ada Vale'] },
    { ...entry, id: '3', amount: 0, reason: 'correction', description: 'For you' },
    { ...entry, id: '4', amount: 1, reason: 'unknown' },
  ]
  await at('/', <CreditTable items={items as never} />)
  expect(outline()).toMatchSnapshot()
})

it('the spinner says that it loads', async () => {
  await act(async () => {})
  await at('/', <Loading />)
  expect(outline()).toMatchSnapshot()
})
