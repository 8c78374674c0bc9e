import type { GenerationItem } from '@starside/contract/generation.ts'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import * as publicSettings from '../api/public-settings.ts'
import { testSettings } from '../api/testing/test-settings.ts'
import { storeToken } from '../api/token.ts'
import { AuthProvider } from '../auth/auth-provider.tsx'
import { AccountPage } from '../auth/account-page.tsx'
import { show } from '../auth/testing/show.tsx'
import { CreditHistory } from '../credits/credit-history.tsx'
import { GuestPage } from '../events/guest-page.tsx'
import { KioskPage } from '../events/kiosk-page.tsx'
import { ModerationPage, PrintsPage } from '../events/team-pages.tsx'
import { testEvent } from '../events/testing/test-event.ts'
import { WallPage } from '../events/wall-page.tsx'
import { VariationEditor } from '../generation/editor/variation-editor.tsx'
import { NewestSelfies } from '../generation/gallery.tsx'
import { SelfieView } from '../generation/selfie-view.tsx'
import { testArrangement } from '../generation/testing/test-arrangement.ts'
import { testSelfie } from '../generation/testing/test-selfie.ts'
import { UpdateNotice } from '../install/update-notice.tsx'
import { saveOrder } from '../orders/order-store.ts'
import { PaymentModal } from '../orders/payment-modal.tsx'
import { testOrder } from '../orders/testing/test-order.ts'
import { VerifyDialog } from '../provenance/verify-dialog.tsx'
import { watchLeaving } from '../ui/testing/watch-leaving.ts'
import { DashboardPage } from './dashboard-page.tsx'
import { LandingPage } from './landing-page.tsx'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue(testSettings)
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue(undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
})

/** Lets parts come whose program is loaded later, and what waits for a pause, as the editor does. */
const awhile = () =>
  act(async () => {
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(150)
  })

const ofEvent = (...roles: string[]): Record<string, object> => ({
  'GET /api/events/gala': { event: testEvent, roles },
  'POST /api/events/gala/leave': {},
})
const nothing = () => {}
const adjustable = {
  ...testSelfie,
  adjustableUntil: new Date(Date.now() + 3_600_000).toISOString(),
  variations: [{ variationId: 'a', isChosen: true, arrangement: testArrangement }],
} as unknown as GenerationItem
const order = {
  orderId: testOrder.orderId,
  userId: testOrder.userId,
  settings: null,
  underpaid: null,
  onClose: nothing,
  onCancelled: nothing,
}

interface Left {
  /** Where it stands, where that says more. */
  at?: string
  part: ReactNode
  answers?: Record<string, object>
  /** What it waits for when it is left. */
  waitsFor: string[]
  before?: () => void
  act?: () => void
}

const verify = 'POST /api/verify'
const chooseFile = () => {
  const files = [new File(['x'], 'one.jpg', { type: 'image/jpeg' })]
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files } })
}
const parts: Record<string, Left> = {
  'the newest selfies': { part: <NewestSelfies />, waitsFor: ['GET /api/generations'] },
  'a picture': {
    part: <SelfieView fresh imageUrl="/one.jpg" item={adjustable} onItem={nothing} />,
    waitsFor: [],
  },
  'the editor': {
    part: <VariationEditor item={adjustable} onClose={nothing} onSaved={nothing} />,
    waitsFor: ['POST /api/generations/one/preview'],
  },
  'the check of a picture': {
    part: <VerifyDialog onClose={nothing} />,
    act: chooseFile,
    waitsFor: [verify],
  },
  'the history of credits': {
    part: <CreditHistory creditsOwed={0} />,
    act: () => fireEvent.click(screen.getByRole('button')),
    waitsFor: ['GET /api/user?action=credit-history'],
  },
  'the account': { part: <AccountPage />, waitsFor: ['GET /api/auth?action=sessions'] },
  'who is signed in': {
    part: <AuthProvider>{null}</AuthProvider>,
    before: () => storeToken('mine'),
    waitsFor: ['GET /api/user?action=profile'],
  },
  'an order': {
    part: <PaymentModal {...order} />,
    before: () => saveOrder(testOrder),
    waitsFor: [],
  },
  'the dashboard': {
    at: '/dashboard',
    part: <DashboardPage />,
    waitsFor: ['GET /api/orders', 'GET /api/generations', 'GET /api/ai?action=presets'],
  },
  'a guest’s page': {
    at: '/e/gala',
    part: <GuestPage />,
    answers: ofEvent(),
    waitsFor: ['GET /api/events/gala/guest'],
  },
  'the kiosk': {
    at: '/e/gala/kiosk',
    part: <KioskPage />,
    answers: ofEvent('kiosk'),
    waitsFor: [],
  },
  'the wall': {
    at: '/e/gala/wall',
    part: <WallPage />,
    answers: { ...ofEvent('wall'), 'GET /api/events/gala/wall': { pictures: [] } },
    waitsFor: [],
  },
  'the moderator’s page': {
    at: '/e/gala/moderate',
    part: <ModerationPage />,
    answers: ofEvent('moderator'),
    waitsFor: ['GET /api/events/gala/moderation'],
  },
  'the attendant’s page': {
    at: '/e/gala/print',
    part: <PrintsPage />,
    answers: ofEvent('attendant'),
    waitsFor: ['GET /api/events/gala/prints'],
  },
}

it.each(Object.entries(parts))(
  '%s takes its listeners, timers and questions along when it is left',
  async (_name, { at = '/', part, answers, waitsFor, before, act: use }) => {
    history.replaceState(null, '', at)
    before?.()
    const { asked, left } = watchLeaving(answers)
    await show(part)
    await act(async () => use?.())
    await awhile()
    expect(asked).toEqual(expect.arrayContaining(waitsFor))
    expect(left()).toEqual(expect.arrayContaining(waitsFor))
    await act(async () => cleanup())
    await awhile()
    expect(left()).toEqual([])
  },
)

it('who presses ‘Try Now’ and then goes elsewhere is not led to registration after all', async () => {
  watchLeaving()
  const signedOut = { user: null, isAuthenticated: false, sessionChecked: true }
  await show(<LandingPage />, { auth: signedOut })
  fireEvent.click(screen.getAllByRole('button', { name: /^Try Now/ })[0]!)
  history.replaceState(null, '', '/terms')
  await act(async () => cleanup())
  await act(async () => vi.advanceTimersByTimeAsync(10_000))
  expect(location.pathname).toBe('/terms')
})

it('who has left hears nothing more of a newer version of the app', async () => {
  const installing = new EventTarget()
  const registration = Object.assign(new EventTarget(), { waiting: null, installing })
  const { left } = watchLeaving({}, [registration, installing])
  vi.stubGlobal('navigator', {
    serviceWorker: { ready: Promise.resolve(registration), controller: null },
  })
  await show(<UpdateNotice />)
  expect(left()).toEqual(expect.arrayContaining(['listens to statechange']))
  await act(async () => cleanup())
  expect(left()).toEqual([])
})
