import { focusManager, onlineManager, QueryClient } from '@tanstack/react-query'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { storageKeys } from '@starside/contract/api.ts'
import { eventHeader } from '@starside/contract/event-formats.ts'
import type { GuestAnswer, ModerationAnswer, PrintQueueAnswer } from '@starside/contract/events.ts'
import * as publicSettings from '../api/public-settings.ts'
import { testSettings } from '../api/testing/test-settings.ts'
import { show } from '../auth/testing/show.tsx'
import { stubCanvas } from '../generation/testing/stub-canvas.ts'
import { takeAnyStream } from '../generation/testing/take-any-stream.ts'
import { testSelfie } from '../generation/testing/test-selfie.ts'
import { loadCatalogue } from '../ui/messages/catalogues.ts'
import { GuestPage } from './guest-page.tsx'
import { KioskPage } from './kiosk-page.tsx'
import { ScanCode } from './scan-code.tsx'
import { ModerationPage, PrintsPage } from './team-pages.tsx'
import { answerCalls, pass, testEvent, testGuestSelfie, type Asked } from './testing/test-event.ts'
import { WallPage } from './wall-page.tsx'

const startMs = Date.parse('2026-11-22T18:00:00Z')
const open = async (path: string, page: React.ReactNode): Promise<void> => {
  history.replaceState(null, '', path)
  await show(page)
  await pass(50)
}
const guestOf = (change: Partial<GuestAnswer> = {}): Omit<GuestAnswer, 'success'> => ({
  selfiesLeft: 2,
  selfies: [testGuestSelfie],
  ...change,
})
const of = (asked: readonly Asked[], what: string): unknown[] =>
  asked.filter((one) => one.what === what).map(({ body }) => body)
const press = (name: string): Promise<void> =>
  act(async () => {
    fireEvent.click(screen.getByRole('button', { name }))
    await vi.advanceTimersByTimeAsync(50)
  })
const event = { event: testEvent, roles: [] as string[] }
const openedFor = (role: string) => ({ event: testEvent, roles: [role] })
const nobody = { guest: null }
const face = { x: 0.1, y: 0.2, width: 0.25, height: 0.5, isMain: true }
const fitPhoto = {
  usable: true,
  faces: [{ ...face, refusals: [], reason: null, hints: [] }],
  refusals: [],
  hints: [],
  widthPx: 8,
  heightPx: 10,
}
/** Texts come by files, which no test's clock moves on. */
const loadSpanish = () =>
  Promise.all(
    (['shell', 'auth', 'dashboard', 'errors', 'events', 'trust', 'variations'] as const).map(
      (area) => loadCatalogue(area, 'es'),
    ),
  )
const choosePhotoAndStar = async (): Promise<void> => {
  fireEvent.click(screen.getByRole('radio', { name: 'Bo West' }))
  const files = [new File(['GIF89a'], 'me.jpg', { type: 'image/jpeg' })]
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files } })
  await pass(1_000)
}

beforeEach(() => {
  vi.useFakeTimers({ now: startMs })
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

const testVersion = {
  source: 'made' as const,
  arrangement: null,
  look: 'natural' as const,
  isRendered: true,
  imageUrl: '/version.jpg',
  thumbnailUrl: '/version-small.jpg',
  downloadUrl: null,
  widthPx: 1024,
  heightPx: 1280,
}
/** A selfie of two versions, the first of which is chosen. */
const ofTwoVersions = {
  ...testSelfie,
  variations: [
    { ...testVersion, variationId: 'v1', isChosen: true },
    { ...testVersion, variationId: 'v2', isChosen: false },
  ],
}

describe('the guest', () => {
  it('reads and ticks the words before the server is asked', async () => {
    const asked = answerCalls({
      'GET gala': event,
      'GET guest': nobody,
      'POST join': guestOf({ selfies: [] }),
    })
    await open('/e/gala', <GuestPage />)
    expect(screen.getByText('A picture of you is made.')).toBeDefined()
    expect(screen.getByText('Everything is deleted on November 30, 2026.')).toBeDefined()
    await press('Start')
    expect(of(asked, 'POST join')).toEqual([])
    fireEvent.click(screen.getByRole('checkbox', { name: 'I agree' }))
    await press('Start')
    expect(of(asked, 'POST join')).toEqual([{ consentVersion: '1', atKiosk: false }])
    expect(screen.getByRole('group', { name: 'Pick your star' })).toBeDefined()
  })

  it('reads to whom photos are sent too', async () => {
    vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue({
      ...testSettings,
      photoRecipients: ['fal.ai'],
    })
    answerCalls({ 'GET gala': event, 'GET guest': nobody })
    await open('/e/gala', <GuestPage />)
    expect(screen.getByText('Your photos are also sent to fal.ai.')).toBeDefined()
  })

  it('calls with the event’s name and without the token of the site, which stays', async () => {
    localStorage.setItem(storageKeys.authToken, 'of-the-site')
    const asked = answerCalls({ 'GET gala': event, 'GET guest': nobody })
    await open('/e/gala', <GuestPage />)
    expect(asked.map(({ headers }) => headers.get(eventHeader))).toEqual(asked.map(() => 'gala'))
    expect(asked.map(({ headers }) => headers.get('authorization'))).toEqual(asked.map(() => null))
    expect(localStorage.getItem(storageKeys.authToken)).toBe('of-the-site')
  })

  it.each([
    [{ state: 'upcoming' as const }, /^We start on Nov 22, 2026, 4:00 AM PST/],
    [{ state: 'over' as const }, /^The event is over/],
    [{ hasCredits: false }, /^All selfies of this event have been taken/],
  ])('is told why nobody can join: %j', async (change, sentence) => {
    answerCalls({
      'GET gala': { ...event, event: { ...testEvent, ...change } },
      'GET guest': nobody,
    })
    await open('/e/gala', <GuestPage />)
    expect(screen.getByText(sentence)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Start' })).toBeNull()
  })

  it('takes the place of the one at the kiosk with a code, which leaves the address', async () => {
    const asked = answerCalls({ 'GET gala': event, 'POST take-over': guestOf() })
    await open('/e/gala#take=abc', <GuestPage />)
    expect(of(asked, 'POST take-over')).toEqual([{ code: 'abc', replaces: false }])
    expect(location.hash).toBe('')
    expect(screen.getByRole('button', { name: 'Take another (2 left)' })).toBeDefined()
  })

  it('sends the code of the kiosk again where it did not get through', async () => {
    const answers: Parameters<typeof answerCalls>[0] = {
      'GET gala': event,
      'POST take-over': new Error('lost'),
    }
    const asked = answerCalls(answers)
    await open('/e/gala#take=abc', <GuestPage />)
    expect(location.hash).toBe('#take=abc')
    answers['POST take-over'] = guestOf()
    await press('Try again')
    expect(of(asked, 'POST take-over')).toEqual([
      { code: 'abc', replaces: false },
      { code: 'abc', replaces: false },
    ])
    expect(location.hash).toBe('')
  })

  it('numbers their selfies from the first one, and finds the way back to one of them', async () => {
    const second = { ...testSelfie, generationId: 'two' }
    const selfies = [{ ...testGuestSelfie, generation: second }, testGuestSelfie]
    answerCalls({ 'GET gala': event, 'GET guest': { guest: guestOf({ selfies }) } })
    await open('/e/gala', <GuestPage />)
    expect(document.title).toBe('Museum night')
    const shown = () =>
      screen.getAllByRole<HTMLInputElement>('radio', { checked: true }).map(({ value }) => value)
    const tile = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })
    expect([tile('Selfie 2').value, tile('Selfie 1').value, shown()]).toEqual([
      'two',
      'one',
      ['two'],
    ])
    await press('Take another (2 left)')
    fireEvent.click(tile('Selfie 1'))
    expect(shown()).toEqual(['one'])
  })

  it('reads the words in the language that is spoken, of those that the event has', async () => {
    const words = { es: 'Se hace una foto.', en: 'A picture of you is made.' }
    const consent = { version: '1', words }
    const spoken = { ...testEvent, languages: ['es' as const, 'en' as const], consent }
    answerCalls({ 'GET gala': { ...event, event: spoken }, 'GET guest': nobody })
    await open('/e/gala', <GuestPage />)
    expect(screen.getByText(words.en)).toBeDefined()
    expect(screen.queryByText(words.es)).toBeNull()
  })

  it('is told of a long queue before they wait in it, and stands on the event’s own background', async () => {
    const asked = answerCalls({
      'GET gala': {
        ...event,
        event: { ...testEvent, isQueueFull: true, backgroundUrl: '/background.jpg' },
      },
      'GET guest': { guest: guestOf({ selfies: [] }) },
      'POST ai?action=inspect': fitPhoto,
      'POST ai?action=generate': { code: 'event_queue_full' },
    })
    await open('/e/gala', <GuestPage />)
    await choosePhotoAndStar()
    expect(screen.getByText('Many guests are waiting. It may take a minute.')).toBeDefined()
    const button = screen.getByRole('button', { name: 'Make my selfie' })
    fireEvent.click(button)
    fireEvent.click(button)
    await pass(1_000)
    const forms = of(asked, 'POST ai').filter((body) => (body as FormData).has('presetId'))
    expect(forms, 'a second press is none').toHaveLength(1)
    const form = forms[0] as FormData
    expect([form.get('presetId'), form.get('scene')]).toEqual(['bo-west', null])
  })

  it('hands the picture to another app where the device can', async () => {
    const share = vi.fn(async () => undefined)
    vi.stubGlobal(
      'navigator',
      Object.assign(Object.create(navigator), { share, canShare: () => true }),
    )
    answerCalls({ 'GET gala': event, 'GET guest': { guest: guestOf() }, 'GET one.jpg': {} })
    await open('/e/gala', <GuestPage />)
    await press('Share the picture')
    expect(share).toHaveBeenCalledWith(expect.objectContaining({ files: [expect.any(File)] }))
  })

  it('is told that the browser has no connection, and no longer once it has one', async () => {
    answerCalls({ 'GET gala': event, 'GET guest': { guest: guestOf() } })
    await open('/e/gala', <GuestPage />)
    await act(async () => onlineManager.setOnline(false))
    expect(screen.getByText(/^No connection/)).toBeDefined()
    await act(async () => onlineManager.setOnline(true))
    expect(screen.queryByText(/^No connection/)).toBeNull()
  })

  it('with one selfie finds the way back to it while another one is begun', async () => {
    answerCalls({ 'GET gala': event, 'GET guest': { guest: guestOf() } })
    await open('/e/gala', <GuestPage />)
    expect(screen.queryByRole('radio', { name: 'Selfie 1' })).toBeNull()
    await press('Take another (2 left)')
    fireEvent.click(screen.getByRole('radio', { name: 'Selfie 1' }))
    expect(screen.getByRole('button', { name: 'Take another (2 left)' })).toBeDefined()
  })

  it.each([
    [{ state: 'over' as const }, 2, /^The event is over/],
    [{ state: 'upcoming' as const }, 2, /^We start on/],
    [{ hasCredits: false }, 0, /^All selfies of this event have been taken/],
    [{}, 0, /^You have taken all your selfies/],
  ])(
    'who has joined makes no further selfie: %j with %d left',
    async (change, selfiesLeft, why) => {
      const guest = guestOf({ selfiesLeft })
      answerCalls({
        'GET gala': { ...event, event: { ...testEvent, ...change } },
        'GET guest': { guest },
      })
      await open('/e/gala', <GuestPage />)
      expect(screen.getByText(why)).toBeDefined()
      expect(screen.queryByRole('button', { name: /^Take another/ })).toBeNull()
      expect(screen.queryByRole('button', { name: 'Make my selfie' })).toBeNull()
    },
  )

  it.each([
    [{}, /^You have taken all your selfies/],
    [{ state: 'over' as const }, /^The event is over/],
  ])('who has none and none left is told so: %j', async (change, why) => {
    answerCalls({
      'GET gala': { ...event, event: { ...testEvent, ...change } },
      'GET guest': { guest: guestOf({ selfies: [], selfiesLeft: 0 }) },
    })
    await open('/e/gala', <GuestPage />)
    expect(screen.getByText(why)).toBeDefined()
  })

  it('finds a new selfie before the others, also before the server has told of it', async () => {
    const late = Promise.withResolvers<object>()
    const generation = { ...testSelfie, generationId: 'two' }
    const answers: Parameters<typeof answerCalls>[0] = {
      'GET gala': event,
      'GET guest': { guest: guestOf() },
      'POST ai?action=inspect': fitPhoto,
      'POST ai?action=generate': () => {
        answers['GET guest'] = () => late.promise
        return { generation }
      },
    }
    answerCalls(answers)
    await open('/e/gala', <GuestPage />)
    await press('Take another (2 left)')
    await choosePhotoAndStar()
    await press('Make my selfie')
    await pass(1_000)
    const tile = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name }).value
    expect([tile('Selfie 2'), tile('Selfie 1')]).toEqual(['two', 'one'])
  })

  it('makes the selfies that are left also where nobody else can join', async () => {
    answerCalls({
      'GET gala': { ...event, event: { ...testEvent, hasCredits: false } },
      'GET guest': { guest: guestOf() },
    })
    await open('/e/gala', <GuestPage />)
    await press('Take another (2 left)')
    expect(screen.getByRole('button', { name: 'Make my selfie' })).toBeDefined()
  })

  it.each([
    ['Show the other ones', [false, true], 'Take another (1 left)'],
    ['Keep these', [false], 'Take another (2 left)'],
  ])('is asked before selfies of this phone give way: %s', async (name, asks, left) => {
    const answers: Parameters<typeof answerCalls>[0] = {
      'GET gala': event,
      'POST take-over': { code: 'guest_has_selfies' },
      'GET guest': { guest: guestOf() },
    }
    const asked = answerCalls(answers)
    await open('/e/gala#take=abc', <GuestPage />)
    expect(screen.getByText(/^This phone already has selfies/)).toBeDefined()
    answers['POST take-over'] = guestOf({ selfiesLeft: 1 })
    await press(name)
    expect(of(asked, 'POST take-over')).toEqual(asks.map((replaces) => ({ code: 'abc', replaces })))
    expect(location.hash).toBe('')
    expect(screen.getByRole('button', { name: left })).toBeDefined()
  })

  it('is told of a code that was used, and goes on without it', async () => {
    const answers = {
      'GET gala': event,
      'POST take-over': { code: 'hand_over_unknown', error: 'This code was used.' },
      'GET guest': nobody,
    }
    answerCalls(answers)
    await open('/e/gala#take=abc', <GuestPage />)
    expect(screen.getByText('This code was used.')).toBeDefined()
    await press('Try again')
    expect(screen.getByRole('button', { name: 'Start' })).toBeDefined()
  })

  it('sees their last word on the wall, though an older answer comes after it', async () => {
    const late = Promise.withResolvers<object>()
    let answersOfGuest = 0
    const wished = guestOf({ selfies: [{ ...testGuestSelfie, wall: 'asked' }] })
    answerCalls({
      'GET gala': event,
      'GET guest': () => {
        answersOfGuest += 1
        return answersOfGuest === 1 ? { guest: guestOf() } : late.promise
      },
      'PUT one': wished,
    })
    await open('/e/gala', <GuestPage />)
    await pass(15_000)
    expect(answersOfGuest).toBe(2)
    await press('Yes')
    expect(screen.getByText('The team takes a look first.')).toBeDefined()
    late.resolve({ guest: guestOf() })
    await pass(50)
    expect(screen.getByText('The team takes a look first.')).toBeDefined()
  })

  it('waits with the stars while the answer to joining is on its way, and has one star chosen', async () => {
    const joined = Promise.withResolvers<object>()
    answerCalls({
      'GET gala': { ...event, event: { ...testEvent, stars: testEvent.stars.slice(1) } },
      'GET guest': nobody,
      'POST join': () => joined.promise,
    })
    await open('/e/gala', <GuestPage />)
    fireEvent.click(screen.getByRole('checkbox', { name: 'I agree' }))
    await press('Start')
    const start = screen.getByRole('button', { name: 'Start' })
    expect(start.getAttribute('aria-disabled')).toBe('true')
    joined.resolve(guestOf({ selfies: [] }))
    await pass(50)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Bo West' }).checked).toBe(true)
  })

  it('keeps the selfies in an account, which is signed in then and opens at its gallery', async () => {
    const asked = answerCalls({
      'GET gala': event,
      'GET guest': { guest: guestOf() },
      'POST keep': { token: 'mine', user: { userId: 'u1', email: 'a@b.c', username: 'ada' } },
    })
    const assign = vi.spyOn(location, 'assign').mockReturnValue(undefined)
    await open('/e/gala', <GuestPage />)
    await press('Keep my selfies')
    const filled = { username: 'ada', email: 'ada@example.test', password: 'a secret' }
    for (const [id, value] of Object.entries(filled)) {
      fireEvent.input(document.getElementById(id)!, { target: { value } })
    }
    await press('Create Account')
    expect(of(asked, 'POST keep')).toEqual([filled])
    expect(localStorage.getItem(storageKeys.authToken)).toBe('mine')
    expect(assign).toHaveBeenCalledExactlyOnceWith('/gallery')
  })

  it('is told the number by which the attendant finds the print', async () => {
    const print = {
      printId: 'p',
      number: 7,
      format: 'square' as const,
      createdAt: '',
      printedAt: null,
    }
    const printed = {
      ...print,
      format: 'strip' as const,
      number: 6,
      printedAt: '2026-11-22T18:00:00Z',
    }
    const selfies = [{ ...testGuestSelfie, prints: [print, printed] }]
    answerCalls({ 'GET gala': event, 'GET guest': { guest: guestOf({ selfies }) } })
    await open('/e/gala', <GuestPage />)
    expect(screen.getByText('Square: your number is 7')).toBeDefined()
    expect(screen.getByText('Strip of four: printed, pick up number 6')).toBeDefined()
  })

  it('finds the next step beside the button, and it leads there', async () => {
    const guest = guestOf({ selfies: [] })
    answerCalls({ 'GET gala': event, 'GET guest': { guest } })
    await open('/e/gala', <GuestPage />)
    const next = screen.getByRole('link', { name: 'Add your photo and a star to start.' })
    expect(document.querySelector(next.getAttribute('href') ?? '')).not.toBeNull()
    fireEvent.click(screen.getByRole('radio', { name: 'Bo West' }))
    expect(screen.getByRole('link', { name: 'Add your photo to start.' })).toBeDefined()
    const scenes = screen.getByText('Scene', { selector: 'summary *' }).closest('details')
    expect(scenes?.open).toBe(false)
  })

  it('is told of a failure in words for somebody who has no credits', async () => {
    const answers = {
      'GET gala': event,
      'GET guest': { guest: guestOf() },
      'PUT one': { code: 'generation_failed', error: 'Your credit was given back.' },
    }
    answerCalls(answers)
    await open('/e/gala', <GuestPage />)
    await press('Yes')
    const alerts = screen.getAllByRole('alert').map(({ textContent }) => textContent)
    expect(alerts.join('')).toBe('The selfie could not be made.')
  })

  it('is told that the connection is lost, keeps the page, and is told no longer once it is back', async () => {
    const answers: Parameters<typeof answerCalls>[0] = {
      'GET gala': event,
      'GET guest': { guest: guestOf() },
    }
    answerCalls(answers)
    await open('/e/gala', <GuestPage />)
    answers['GET gala'] = new Error('lost')
    await pass(15_000)
    expect(screen.getByText(/^No connection/)).toBeDefined()
    expect(screen.getByRole('heading', { name: 'Museum night' })).toBeDefined()
    answers['GET gala'] = event
    await pass(15_000)
    expect(screen.queryByText(/^No connection/)).toBeNull()
  })

  it('keeps the star that the selfie is made with, once it is asked for', async () => {
    answerCalls({
      'GET gala': event,
      'GET guest': { guest: guestOf({ selfies: [] }) },
      'POST ai?action=inspect': fitPhoto,
    })
    await open('/e/gala', <GuestPage />)
    await choosePhotoAndStar()
    const stars = screen.getByRole<HTMLFieldSetElement>('group', { name: 'Pick your star' })
    expect(stars.disabled).toBe(false)
    fireEvent.click(screen.getByRole('button', { name: 'Make my selfie' }))
    expect(stars.disabled).toBe(true)
    await pass(1_000)
  })

  it('sees how many are left at once, and what the server says of it soon after', async () => {
    const told = Promise.withResolvers<object>()
    let answersOfGuest = 0
    answerCalls({
      'GET gala': event,
      'GET guest': () => {
        answersOfGuest += 1
        return answersOfGuest === 1 ? { guest: guestOf({ selfies: [] }) } : told.promise
      },
      'POST ai?action=inspect': fitPhoto,
      'POST ai?action=generate': { generation: testSelfie },
    })
    await open('/e/gala', <GuestPage />)
    await choosePhotoAndStar()
    await press('Make my selfie')
    await pass(1_000)
    expect(screen.getByRole('button', { name: 'Take another (1 left)' })).toBeDefined()
    expect(answersOfGuest, 'long before it asks again by itself').toBe(2)
    told.resolve({ guest: guestOf({ selfiesLeft: 0 }) })
    await pass(50)
    expect(screen.getByText(/^You have taken all your selfies/)).toBeDefined()
  })

  it('sees a frame drawn around the selfie that was just made, and around no other', async () => {
    const generation = { ...testSelfie, generationId: 'two' }
    const answers: Parameters<typeof answerCalls>[0] = {
      'GET gala': event,
      'GET guest': { guest: guestOf() },
      'POST ai?action=inspect': fitPhoto,
      'POST ai?action=generate': () => {
        const selfies = [{ ...testGuestSelfie, generation }, testGuestSelfie]
        answers['GET guest'] = { guest: guestOf({ selfies, selfiesLeft: 1 }) }
        return { generation }
      },
    }
    answerCalls(answers)
    await open('/e/gala', <GuestPage />)
    await press('Take another (2 left)')
    await choosePhotoAndStar()
    await press('Make my selfie')
    await pass(1_000)
    const isFramed = () => document.querySelector('.result-print img.appears') !== null
    expect(isFramed()).toBe(true)
    fireEvent.click(screen.getByRole('radio', { name: 'Selfie 1' }))
    expect(isFramed()).toBe(false)
    fireEvent.click(screen.getByRole('radio', { name: 'Selfie 2' }))
    expect(isFramed()).toBe(true)
  })

  it('is told that the version they choose is being made', async () => {
    const made = Promise.withResolvers<object>()
    const variations = ofTwoVersions.variations.map((one) => ({ ...one, isRendered: false }))
    const generation = { ...ofTwoVersions, variations }
    answerCalls({
      'GET gala': event,
      'GET guest': { guest: guestOf({ selfies: [{ ...testGuestSelfie, generation }] }) },
      'PUT chosen': () => made.promise,
    })
    await open('/e/gala', <GuestPage />)
    expect(screen.getByText('Tap the version you like best.')).toBeDefined()
    fireEvent.click(document.querySelector('.result-print [aria-pressed=false]')!)
    await pass(50)
    expect(screen.getByText('Making it full size…')).toBeDefined()
    made.resolve({ generation })
    await pass(50)
    expect(screen.getByText('Tap the version you like best.')).toBeDefined()
  })

  it('asks once for the other ones, and is told where that fails', async () => {
    const late = Promise.withResolvers<object>()
    const answers: Parameters<typeof answerCalls>[0] = {
      'GET gala': event,
      'POST take-over': { code: 'guest_has_selfies' },
    }
    const asked = answerCalls(answers)
    await open('/e/gala#take=abc', <GuestPage />)
    answers['POST take-over'] = () => late.promise
    await press('Show the other ones')
    await press('Show the other ones')
    expect(of(asked, 'POST take-over')).toHaveLength(2)
    const areOff = () =>
      ['Keep these', 'Show the other ones'].map((name) =>
        screen.getByRole('button', { name }).getAttribute('aria-disabled'),
      )
    expect(areOff()).toEqual(['true', 'true'])
    late.resolve({ code: 'internal', error: 'Not now.' })
    await pass(50)
    expect(screen.getByText('Not now.')).toBeDefined()
    expect(areOff()).toEqual(['false', 'false'])
  })

  it('finds among their selfies none that is still being made', async () => {
    const making = { ...testSelfie, generationId: 'two', state: 'running', imageUrl: null } as const
    const selfies = [{ ...testGuestSelfie, generation: making }, testGuestSelfie]
    answerCalls({ 'GET gala': event, 'GET guest': { guest: guestOf({ selfies }) } })
    await open('/e/gala', <GuestPage />)
    const tiles = screen.getByRole('group', { name: 'Your selfies' })
    expect([...tiles.querySelectorAll('input')].map(({ value }) => value)).toEqual(['one'])
    expect(tiles.querySelector('img')?.getAttribute('src')).toBe('/one-small.jpg')
  })

  it.each([
    ['with selfies', 0, true, [testGuestSelfie]],
    ['without any', 2, false, []],
  ])('%s is offered to keep them: %d left, %s', async (_who, selfiesLeft, isOffered, selfies) => {
    answerCalls({ 'GET gala': event, 'GET guest': { guest: guestOf({ selfies, selfiesLeft }) } })
    await open('/e/gala', <GuestPage />)
    expect(screen.queryByRole('button', { name: 'Keep my selfies' }) !== null).toBe(isOffered)
    if (!isOffered) return
    await press('Keep my selfies')
    const typed = screen.getByRole('dialog', { name: 'Keep your selfies' })
    expect([...typed.querySelectorAll('input')].map((field) => field.autocomplete)).toEqual([
      'username',
      'email',
      'new-password',
    ])
    await press('Cancel')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('reads what went wrong with one selfie beside that one alone', async () => {
    const second = { ...testSelfie, generationId: 'two' }
    const selfies = [{ ...testGuestSelfie, generation: second }, testGuestSelfie]
    answerCalls({
      'GET gala': event,
      'GET guest': { guest: guestOf({ selfies }) },
      'PUT two': { code: 'internal', error: 'Not now.' },
    })
    await open('/e/gala', <GuestPage />)
    await press('Yes')
    expect(screen.getByText('Not now.')).toBeDefined()
    fireEvent.click(screen.getByRole('radio', { name: 'Selfie 1' }))
    expect(screen.queryByText('Not now.')).toBeNull()
  })

  it('sees how far the last selfie is, also when the server counts it already', async () => {
    const running = { ...testSelfie, state: 'running', imageUrl: null } as const
    const answers: Parameters<typeof answerCalls>[0] = {
      'GET gala': event,
      'GET guest': { guest: guestOf({ selfies: [], selfiesLeft: 1 }) },
      'POST ai?action=inspect': fitPhoto,
      'POST ai?action=generate': () => {
        const selfies = [{ ...testGuestSelfie, generation: running }]
        answers['GET guest'] = { guest: guestOf({ selfies, selfiesLeft: 0 }) }
        return { generation: running }
      },
      'GET one': { generation: running },
    }
    answerCalls(answers)
    await open('/e/gala', <GuestPage />)
    await choosePhotoAndStar()
    await press('Make my selfie')
    await pass(16_000)
    expect(screen.getByRole('progressbar')).toBeDefined()
    const shown = [...document.querySelectorAll('.result-print img')].map((img) =>
      img.getAttribute('src'),
    )
    expect(shown, 'with the star').toEqual(['/api/presets/ada-vale.jpg'])
  })

  it('takes several people along, and asks for the same selfie once more only after a press', async () => {
    const second = { ...fitPhoto.faces[0]!, x: 0.6, isMain: false }
    const asked = answerCalls({
      'GET gala': event,
      'GET guest': { guest: guestOf({ selfies: [] }) },
      'POST ai?action=inspect': { ...fitPhoto, faces: [fitPhoto.faces[0], second] },
      'POST ai?action=generate': { code: 'already_made' },
    })
    await open('/e/gala', <GuestPage />)
    const isOff = () =>
      screen.getByRole('button', { name: 'Make my selfie' }).getAttribute('aria-disabled')
    expect(isOff()).toBe('true')
    await press('Make my selfie')
    await choosePhotoAndStar()
    expect(isOff()).toBe('false')
    await press('Include everyone')
    await press('Make my selfie')
    await pass(1_000)
    await press('Make it again')
    await pass(1_000)
    const forms = of(asked, 'POST ai').filter((body) => (body as FormData).has('presetId'))
    expect(forms.map((form) => (form as FormData).get('userFaces'))).toEqual(['0,1', '0,1'])
    const isAsked = forms.map((form) => (form as FormData).has('askBeforeRepeat'))
    expect(isAsked).toEqual([true, false])
    await press('Dismiss')
    expect(screen.queryByText('Already made')).toBeNull()
  })

  it('stays with what failed, though an earlier selfie was made', async () => {
    const answers: Parameters<typeof answerCalls>[0] = {
      'GET gala': event,
      'GET guest': { guest: guestOf({ selfies: [] }) },
      'POST ai?action=inspect': fitPhoto,
      'POST ai?action=generate': { generation: testSelfie },
    }
    answerCalls(answers)
    await open('/e/gala', <GuestPage />)
    await choosePhotoAndStar()
    answers['GET guest'] = { guest: guestOf({ selfiesLeft: 1 }) }
    await press('Make my selfie')
    await pass(1_000)
    await press('Take another (1 left)')
    answers['POST ai?action=generate'] = { code: 'generation_failed' }
    await press('Make my selfie')
    await pass(1_000)
    expect(screen.getByText(/The selfie could not be made[.]$/)).toBeDefined()
  })

  it('sees the version that they chose, or why it could not be made', async () => {
    const version = (variationId: string, isChosen: boolean) => ({
      variationId,
      isChosen,
      ...testVersion,
      imageUrl: `/${variationId}.jpg`,
      thumbnailUrl: `/${variationId}-small.jpg`,
    })
    const generation = { ...testSelfie, variations: [version('v1', true), version('v2', false)] }
    const answers: Parameters<typeof answerCalls>[0] = {
      'GET gala': event,
      'GET guest': { guest: guestOf({ selfies: [{ ...testGuestSelfie, generation }] }) },
      'PUT chosen': { code: 'internal', error: 'Not now.' },
    }
    answerCalls(answers)
    await open('/e/gala', <GuestPage />)
    const choose = async () => {
      fireEvent.click(document.querySelector('.result-print [aria-pressed=false]')!)
      await pass(50)
    }
    await choose()
    expect(screen.getByText('Not now.')).toBeDefined()
    const variations = [version('v1', false), version('v2', true)]
    answers['PUT chosen'] = { generation: { ...generation, imageUrl: '/v2.jpg', variations } }
    await choose()
    const picture = document.querySelector('.result-print img[fetchpriority=high]')
    expect(picture?.getAttribute('src')).toBe('/v2.jpg')
    expect(screen.queryByText('Not now.')).toBeNull()
  })

  it('is told how sharing and saving went', async () => {
    vi.stubGlobal('open', () => ({}))
    vi.spyOn(console, 'warn').mockReturnValue(undefined)
    answerCalls({ 'GET gala': event, 'GET guest': { guest: guestOf() } })
    await open('/e/gala', <GuestPage />)
    await press('Share on X')
    expect(screen.getByText(/^X share window opened!/)).toBeDefined()
    await press('Download Image')
    expect(screen.getByText('Failed to download image. Please try again.')).toBeDefined()
  })

  it.each([
    ['private', 'No', ''],
    ['asked', 'Yes', 'The team takes a look first.'],
    ['approved', 'Yes', "It's on the wall."],
    ['hidden', 'Yes', "The team doesn't show this one."],
  ] as const)('finds their word about the wall: %s', async (wall, pressed, told) => {
    const selfies = [{ ...testGuestSelfie, wall }]
    answerCalls({ 'GET gala': event, 'GET guest': { guest: guestOf({ selfies }) } })
    await open('/e/gala', <GuestPage />)
    const isPressed = ['Yes', 'No'].filter(
      (name) => screen.getByRole('button', { name }).getAttribute('aria-pressed') === 'true',
    )
    expect(isPressed).toEqual([pressed])
    const said = screen.getAllByRole('status').map(({ textContent }) => textContent)
    expect(said.filter((text) => /team|wall/.test(text))).toEqual(told === '' ? [] : [told])
  })

  it('asks for a print once, and learns its number aloud', async () => {
    const taken = Promise.withResolvers<object>()
    const asked = answerCalls({
      'GET gala': { ...event, event: { ...testEvent, hasWall: false, printFormats: ['square'] } },
      'GET guest': { guest: guestOf() },
      'PUT one': () => taken.promise,
    })
    await open('/e/gala', <GuestPage />)
    expect(screen.queryByText('Show it on the wall?'), 'there is none').toBeNull()
    await press('Square')
    await press('Square')
    const button = screen.getByRole('button', { name: 'Square' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(button.closest('[aria-live=polite]')).not.toBeNull()
    expect(of(asked, 'PUT one')).toEqual([{ printFormat: 'square' }])
    const print = { printId: 'p', number: 7, format: 'square', createdAt: '', printedAt: null }
    taken.resolve(guestOf({ selfies: [{ ...testGuestSelfie, prints: [print as never] }] }))
    await pass(50)
    expect(screen.getByText('Square: your number is 7')).toBeDefined()
  })

  it('is asked about no more often than the page needs', async () => {
    const asked = answerCalls({ 'GET gala': event, 'GET guest': nobody })
    await open('/e/gala', <GuestPage />)
    await act(async () => onlineManager.setOnline(false))
    await pass(31_000)
    await act(async () => onlineManager.setOnline(true))
    expect(of(asked, 'GET guest'), 'nobody has joined').toHaveLength(1)
    expect(of(asked, 'GET gala'), 'whatever the browser believes of its line').toHaveLength(3)
  })

  it('prepares nothing for the event’s own background, and what stands there for a scene', async () => {
    const asked = answerCalls({
      'GET gala': { ...event, event: { ...testEvent, backgroundUrl: '/background.jpg' } },
      'GET guest': { guest: guestOf({ selfies: [] }) },
      'POST ai?action=inspect': { ...fitPhoto, photoDigest: 'd'.repeat(64) },
    })
    await open('/e/gala', <GuestPage />)
    await choosePhotoAndStar()
    const prepared = () => of(asked, 'POST ai').filter((body) => !(body instanceof FormData))
    expect(prepared()).toEqual([])
    const tile = screen.getByRole('radio', { name: 'This event' })
    expect(tile.closest('label')?.querySelector('img')?.getAttribute('src')).toBe('/background.jpg')
    fireEvent.click(screen.getByRole('radio', { name: 'Stage' }))
    expect(screen.getByText('Stage', { selector: 'summary *' })).toBeDefined()
    await pass(1_000)
    expect(prepared()).toHaveLength(1)
  })

  it('leaves no way back to the code of a kiosk, and is told why joining failed', async () => {
    const pushed = vi.spyOn(history, 'pushState')
    const answers: Parameters<typeof answerCalls>[0] = {
      'GET gala': event,
      'POST take-over': { code: 'hand_over_unknown', error: 'This code was used.' },
      'GET guest': nobody,
      'POST join': { code: 'internal', error: 'Not now.' },
    }
    answerCalls(answers)
    await open('/e/gala#take=abc', <GuestPage />)
    await press('Try again')
    expect([location.hash, pushed.mock.calls]).toEqual(['', []])
    fireEvent.click(screen.getByRole('checkbox', { name: 'I agree' }))
    await press('Start')
    expect(screen.getByText('Not now.')).toBeDefined()
  })

  it('chooses among the event’s languages by their own names, where there are several', async () => {
    answerCalls({
      'GET gala': { ...event, event: { ...testEvent, languages: ['en', 'zh'] } },
      'GET guest': nobody,
    })
    await open('/e/gala', <GuestPage />)
    const choice = within(screen.getByRole('group', { name: 'Language' })).getAllByRole('button')
    expect(choice.map(({ lang, textContent }) => [lang, textContent])).toEqual([
      ['en', 'English'],
      ['zh-Hans', '简体中文'],
    ])
    cleanup()
    answerCalls({ 'GET gala': event, 'GET guest': nobody })
    await open('/e/gala', <GuestPage />)
    expect(screen.queryByRole('group', { name: 'Language' })).toBeNull()
  })

  it('meets five stars, and reads the last day in the reader’s own time', async () => {
    const stars = Array.from({ length: 7 }, (_, n) => ({ ...testEvent.stars[0]!, id: `star-${n}` }))
    answerCalls({
      'GET gala': {
        ...event,
        event: { ...testEvent, stars, deletedAt: '2026-11-30T02:00:00Z' },
      },
      'GET guest': nobody,
    })
    await open('/e/gala', <GuestPage />)
    expect(within(screen.getByRole('list', { name: 'Stars' })).getAllByRole('img')).toHaveLength(5)
    expect(screen.getByText('Everything is deleted on November 29, 2026.')).toBeDefined()
  })

  it('sees each star by a picture of its own, and chooses among scenes only where there are several', async () => {
    const stars = testEvent.stars.map((star) => ({ ...star, image: `/${star.id}.jpg` }))
    answerCalls({
      'GET gala': { ...event, event: { ...testEvent, stars, scenes: ['stage'] } },
      'GET guest': { guest: guestOf({ selfies: [] }) },
    })
    await open('/e/gala', <GuestPage />)
    const tiles = screen.getByRole('group', { name: 'Pick your star' })
    const pictures = [...tiles.querySelectorAll('img')].map((img) => img.getAttribute('src'))
    expect(pictures).toEqual(['/ada-vale.jpg', '/bo-west.jpg'])
    expect(screen.queryByText('Scene')).toBeNull()
    expect(screen.queryByRole('radio', { name: 'Stage' })).toBeNull()
  })

  it('changes nothing of a selfie that is being asked for, and is told of no queue without one', async () => {
    answerCalls({
      'GET gala': event,
      'GET guest': { guest: guestOf({ selfies: [] }) },
      'POST ai?action=inspect': fitPhoto,
    })
    await open('/e/gala', <GuestPage />)
    await choosePhotoAndStar()
    expect(screen.queryByText(/^Many guests are waiting/)).toBeNull()
    const areOff = () =>
      ['Pick your star', 'Scene'].map(
        (name) => screen.getByRole<HTMLFieldSetElement>('group', { name }).disabled,
      )
    const file = document.querySelector<HTMLInputElement>('input[type=file]')!
    document.querySelector('details')!.open = true
    expect([...areOff(), file.disabled]).toEqual([false, false, false])
    fireEvent.click(screen.getByRole('button', { name: 'Make my selfie' }))
    expect([...areOff(), file.disabled]).toEqual([true, true, true])
    await pass(1_000)
  })

  it('is led to the photo while it does not fit, and to the stars once it does', async () => {
    answerCalls({
      'GET gala': event,
      'GET guest': { guest: guestOf({ selfies: [] }) },
      'POST ai?action=inspect': fitPhoto,
    })
    await open('/e/gala', <GuestPage />)
    const leadsTo = () => document.querySelector('#missing a')?.getAttribute('href')
    expect(leadsTo()).toBe('#person-1')
    const files = [new File(['GIF89a'], 'me.jpg', { type: 'image/jpeg' })]
    fireEvent.change(document.querySelector('input[type=file]')!, { target: { files } })
    await pass(1_000)
    expect(leadsTo()).toBe('#star')
    expect(document.querySelector('#star')?.tagName).toBe('FIELDSET')
  })

  it('reads that the picture was made with AI', async () => {
    answerCalls({ 'GET gala': event, 'GET guest': { guest: guestOf() } })
    await open('/e/gala', <GuestPage />)
    expect(screen.getByText('Made with AI.')).toBeDefined()
  })

  it('takes the picture off the wall again', async () => {
    const selfies = [{ ...testGuestSelfie, wall: 'approved' as const }]
    const asked = answerCalls({
      'GET gala': event,
      'GET guest': { guest: guestOf({ selfies }) },
      'PUT one': guestOf(),
    })
    await open('/e/gala', <GuestPage />)
    await press('No')
    await press('Yes')
    expect(of(asked, 'PUT one')).toEqual([{ isForWall: false }, { isForWall: true }])
  })

  it('keeps the wish for the wall and the prints of a selfie whose version changes', async () => {
    const generation = ofTwoVersions
    const selfies = [{ ...testGuestSelfie, generation, wall: 'approved' as const }]
    answerCalls({
      'GET gala': event,
      'GET guest': { guest: guestOf({ selfies }) },
      'PUT chosen': { generation },
    })
    await open('/e/gala', <GuestPage />)
    fireEvent.click(document.querySelector('.result-print [aria-pressed=false]')!)
    await pass(50)
    expect(screen.getByText("It's on the wall.")).toBeDefined()
    expect(screen.getByRole('button', { name: 'Take another (2 left)' })).toBeDefined()
  })

  it('speaks a language of the event, the first one where it has not theirs', async () => {
    await loadSpanish()
    const texts = { es: 'Se hace una foto.', zh: '会生成一张照片。' }
    const spoken = { languages: ['es', 'zh'] as const, consent: { version: '1', words: texts } }
    answerCalls({
      'GET gala': { ...event, event: { ...testEvent, ...spoken } },
      'GET guest': nobody,
    })
    await open('/e/gala', <GuestPage />)
    await pass(50)
    expect(screen.getByText(texts.es)).toBeDefined()
    cleanup()
    const both = { languages: ['es', 'en'] as const, consent: { version: '1', words: texts } }
    answerCalls({ 'GET gala': { ...event, event: { ...testEvent, ...both } }, 'GET guest': nobody })
    await open('/e/gala', <GuestPage />)
    expect(screen.getByText(texts.es), 'words that stand in one of them alone').toBeDefined()
    expect(localStorage.getItem(storageKeys.language), 'the site keeps its own').toBeNull()
  })

  it('says that it is being asked for until the event is known', async () => {
    const known = Promise.withResolvers<object>()
    answerCalls({ 'GET gala': () => known.promise, 'GET guest': nobody })
    await open('/e/gala', <GuestPage />)
    expect(screen.getByText('One moment…').closest('[role=status]')).not.toBeNull()
    known.resolve({ event: { ...testEvent, state: 'over' }, roles: [] })
    await pass(50)
    const over = screen.getByText(/^The event is over/)
    expect(over.getAttribute('role'), 'read aloud, as it may end while one looks').toBe('status')
  })

  it('is told of an answer of the server, and not that the connection is lost', async () => {
    answerCalls({ 'GET gala': { code: 'internal', error: 'Not now.' } })
    await open('/e/gala', <GuestPage />)
    expect(screen.getByText('Not now.')).toBeDefined()
    expect(screen.queryByText(/^No connection/)).toBeNull()
  })
})

describe('the kiosk', () => {
  const answers = {
    'GET gala': openedFor('kiosk'),
    'POST open': {},
    'POST leave': {},
    'GET guest': { guest: guestOf({ selfies: [] }) },
    'POST join': guestOf({ selfies: [] }),
  }
  const takePicture = async (): Promise<void> => {
    takeAnyStream()
    const getUserMedia = async () => ({ getTracks: () => [] })
    vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } })
    stubCanvas(() => new Blob(['GIF89a'], { type: 'image/jpeg' }))
    fireEvent.click(screen.getByRole('radio', { name: 'Bo West' }))
    await pass(50)
    await press('Take the picture')
    for (let second = 0; second < 3; second += 1) await pass(1_000)
  }

  it('opens by a link, whose key leaves the address', async () => {
    const asked = answerCalls(answers)
    await open('/e/gala/kiosk#key=k1', <KioskPage />)
    expect(of(asked, 'POST open')).toEqual([{ role: 'kiosk', key: 'k1' }])
    expect(location.hash).toBe('')
    expect(screen.getByRole('button', { name: 'I agree, start' })).toBeDefined()
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('opens by a link that it has used up itself, and by no other', async () => {
    const used = { ...answers, 'POST open': { code: 'event_link_unknown' } }
    answerCalls(used)
    await open('/e/gala/kiosk#key=k1', <KioskPage />)
    expect(screen.getByRole('button', { name: 'I agree, start' })).toBeDefined()
  })

  it('keeps the key of a link until the server has taken it', async () => {
    const broken: Parameters<typeof answerCalls>[0] = { ...answers, 'POST open': new Error('lost') }
    const asked = answerCalls(broken)
    await open('/e/gala/kiosk#key=k1', <KioskPage />)
    expect(location.hash).toBe('#key=k1')
    broken['POST open'] = answers['POST open']
    await press('Try again')
    expect(of(asked, 'POST open')).toEqual([
      { role: 'kiosk', key: 'k1' },
      { role: 'kiosk', key: 'k1' },
    ])
    expect(location.hash).toBe('')
    expect(screen.getByRole('button', { name: 'I agree, start' })).toBeDefined()
  })

  it('waits for a guest whose picture is being made, and gives up who then leaves it untouched', async () => {
    const running = { ...testSelfie, state: 'running' as const, imageUrl: null }
    const made: Parameters<typeof answerCalls>[0] = {
      ...answers,
      'GET one': { generation: running },
    }
    answerCalls(made)
    await open('/e/gala/kiosk', <KioskPage />)
    localStorage.setItem(storageKeys.runningGeneration, 'one')
    await press('I agree, start')
    await pass(60_000)
    expect(screen.queryByText(/^Still there/)).toBeNull()
    made['GET one'] = { generation: testSelfie }
    await pass(5_000)
    await pass(31_000)
    expect(screen.getByText(/^Still there/)).toBeDefined()
  })

  it('waits for a guest whose photo is being looked at', async () => {
    const look = Promise.withResolvers<object>()
    const asked = answerCalls({ ...answers, 'POST ai?action=inspect': () => look.promise })
    await open('/e/gala/kiosk', <KioskPage />)
    await press('I agree, start')
    await takePicture()
    await pass(35_000)
    expect(of(asked, 'POST ai')).toHaveLength(1)
    expect(screen.queryByText(/^Still there/)).toBeNull()
    await act(async () => look.resolve({ code: 'server_error' }))
    await pass(31_000)
    expect(screen.getByText(/^Still there/)).toBeDefined()
  })

  it('shows a code that takes the picture along, and a new one before it ends', async () => {
    const selfies = [testGuestSelfie]
    const asked = answerCalls({
      ...answers,
      'GET guest': { guest: guestOf({ selfies }) },
      'POST join': guestOf({ selfies }),
      'GET one': { generation: testSelfie },
      'POST hand-over': {
        code: 'abc',
        url: 'https://photos.example.org/e/gala#take=abc',
      },
    })
    await open('/e/gala/kiosk', <KioskPage />)
    localStorage.setItem(storageKeys.runningGeneration, 'one')
    await press('I agree, start')
    await pass(1_000)
    const code = () => document.querySelectorAll('svg[role=img] path')[1]?.getAttribute('d')
    const shownCode = code()
    expect(screen.getByRole('img', { name: 'Scan to take it with you' })).toBeDefined()
    await pass(6_000)
    act(() => focusManager.setFocused(false))
    act(() => focusManager.setFocused(true))
    act(() => focusManager.setFocused(undefined))
    await pass(50)
    expect(of(asked, 'POST hand-over'), 'none for who looks away').toHaveLength(1)
    for (let minute = 0; minute < 10; minute += 0.5) {
      fireEvent.pointerDown(document.body)
      await pass(30_000)
    }
    expect(of(asked, 'POST hand-over'), 'as it holds for ten minutes').toHaveLength(2)
    cleanup()
    await show(<ScanCode url="https://photos.example.org/e/gala#take=abc" label="" className="" />)
    expect(shownCode).toBe(code())
  })

  it('keeps the screen on from the first touch until it is left, again after it was hidden', async () => {
    const lock = { released: false, release: vi.fn(async () => undefined) }
    const request = vi.fn(async () => lock)
    const before = Object.getOwnPropertyDescriptor(navigator, 'wakeLock')
    Object.defineProperty(navigator, 'wakeLock', { configurable: true, value: { request } })
    answerCalls(answers)
    await open('/e/gala/kiosk', <KioskPage />)
    expect(request).not.toHaveBeenCalled()
    await act(async () => void fireEvent.pointerDown(document.body))
    fireEvent.pointerDown(document.body)
    expect(request).toHaveBeenCalledOnce()
    // As a browser does with a page that is hidden.
    lock.released = true
    fireEvent.pointerDown(document.body)
    expect(request).toHaveBeenCalledTimes(2)
    expect(lock.release).not.toHaveBeenCalled()
    await act(async () => cleanup())
    expect(lock.release).toHaveBeenCalledOnce()
    if (before) Object.defineProperty(navigator, 'wakeLock', before)
    else Reflect.deleteProperty(navigator, 'wakeLock')
  })

  it('offers every star anew to who wants another one', async () => {
    answerCalls(answers)
    await open('/e/gala/kiosk', <KioskPage />)
    await press('I agree, start')
    fireEvent.click(screen.getByRole('radio', { name: 'Bo West' }))
    expect(screen.queryByRole('radio', { name: 'Bo West' })).toBeNull()
    await press('Pick another star')
    const stars = screen.getAllByRole<HTMLInputElement>('radio')
    expect(stars.map(({ checked }) => checked)).toEqual([false, false])
  })

  it('takes the next photo after a selfie that could not be made', async () => {
    const asked = answerCalls({
      ...answers,
      'POST ai?action=inspect': fitPhoto,
      'POST ai?action=generate': { code: 'generation_failed' },
    })
    await open('/e/gala/kiosk', <KioskPage />)
    await press('I agree, start')
    await takePicture()
    await pass(1_000)
    const form = of(asked, 'POST ai').at(-1) as FormData
    expect(form.get('presetId')).toBe('bo-west')
    expect(screen.getByText(/The selfie could not be made[.]$/)).toBeDefined()
    const take = screen.getByRole('button', { name: 'Take the picture' })
    expect(take.getAttribute('aria-disabled')).toBe('false')
  })

  it.each([
    [1, true],
    [0, false],
  ])('with %d selfies left it offers another one: %s', async (selfiesLeft, isOffered) => {
    const selfies = [testGuestSelfie]
    answerCalls({
      ...answers,
      'GET guest': { guest: guestOf({ selfies, selfiesLeft }) },
      'POST join': guestOf({ selfies, selfiesLeft }),
      'GET one': { generation: testSelfie },
      'POST hand-over': { code: 'abc', url: 'https://photos.example.org/e/gala#take=abc' },
    })
    await open('/e/gala/kiosk', <KioskPage />)
    localStorage.setItem(storageKeys.runningGeneration, 'one')
    await press('I agree, start')
    await pass(1_000)
    expect(screen.getByRole('button', { name: 'Done' })).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Start over' }), 'as Done does').toBeNull()
    expect(screen.queryByRole('button', { name: /^Take another/ }) !== null).toBe(isOffered)
  })

  it('keeps no answer about a guest who has left', async () => {
    const clients = vi.spyOn(QueryClient.prototype, 'mount')
    answerCalls(answers)
    await open('/e/gala/kiosk', <KioskPage />)
    await press('I agree, start')
    const known = () =>
      clients.mock.contexts.flatMap(
        (client) => (client as QueryClient).getQueryData(['guest', 'gala']) ?? [],
      )
    expect(known()).toHaveLength(1)
    await press('Start over')
    expect(known()).toEqual([])
  })

  it('without a link it asks for one', async () => {
    answerCalls({ ...answers, 'GET gala': openedFor('attendant') })
    await open('/e/gala/kiosk', <KioskPage />)
    expect(screen.getByText('Open this page with the link from the organiser.')).toBeDefined()
  })

  it('forgets a guest who leaves it untouched, on the device and at the server', async () => {
    const asked = answerCalls(answers)
    await open('/e/gala/kiosk', <KioskPage />)
    await press('I agree, start')
    expect(of(asked, 'POST join')).toEqual([{ consentVersion: '1', atKiosk: true }])
    const left = of(asked, 'POST leave').length
    localStorage.setItem(storageKeys.generatedImage, '{}')
    localStorage.setItem(storageKeys.runningGeneration, 'one')
    sessionStorage.setItem('anything', 'x')
    await pass(31_000)
    expect(screen.getByText(/^Still there\? Starting over in \d+ s/)).toBeDefined()
    await pass(10_000)
    await pass(50)
    expect(of(asked, 'POST leave')).toHaveLength(left + 1)
    expect([sessionStorage.length, localStorage.length]).toEqual([0, 1])
    expect(localStorage.getItem(storageKeys.language)).toBe('en')
    expect(screen.getByRole('button', { name: 'I agree, start' })).toBeDefined()
  })

  it('takes no further guest until the server has ended the last one’s session', async () => {
    const broken = { ...answers, 'POST leave': new Error('lost') as object }
    answerCalls(broken)
    await open('/e/gala/kiosk', <KioskPage />)
    expect(screen.getByText('Getting ready for the next guest…')).toBeDefined()
    await pass(5_000)
    expect(screen.getByText('Getting ready for the next guest…')).toBeDefined()
    broken['POST leave'] = {}
    await pass(2_500)
    expect(screen.getByRole('button', { name: 'I agree, start' })).toBeDefined()
  })

  it('leads nowhere else: not back, and by no menu', async () => {
    answerCalls(answers)
    const entered = vi.spyOn(history, 'pushState')
    await open('/e/gala/kiosk', <KioskPage />)
    expect(entered, 'to which back leads').toHaveBeenCalledWith(null, '', '/e/gala/kiosk')
    entered.mockClear()
    for (const type of ['contextmenu', 'dragover', 'drop']) {
      const way = new Event(type, { bubbles: true, cancelable: true })
      document.body.dispatchEvent(way)
      expect(way.defaultPrevented, type).toBe(true)
    }
    vi.spyOn(history, 'length', 'get').mockReturnValue(1)
    const pushed = vi.spyOn(history, 'pushState')
    await act(async () => void fireEvent.pointerDown(document.body))
    expect(pushed, 'the entry that a browser gives only to who touches').toHaveBeenCalledOnce()
    dispatchEvent(new PopStateEvent('popstate'))
    expect(pushed).toHaveBeenCalledWith(null, '', '/e/gala/kiosk')
  })

  it('with one star begins at the camera that looks at the guest, also for another selfie', async () => {
    const made: Parameters<typeof answerCalls>[0] = {
      ...answers,
      'GET gala': {
        event: { ...testEvent, stars: testEvent.stars.slice(1) },
        roles: ['kiosk'],
      },
      'POST ai?action=inspect': fitPhoto,
      'POST ai?action=generate': () => {
        made['GET guest'] = { guest: guestOf({ selfiesLeft: 1 }) }
        return { generation: testSelfie }
      },
      'POST hand-over': { code: 'internal' },
    }
    const asked = answerCalls(made)
    await open('/e/gala/kiosk', <KioskPage />)
    expect(document.querySelector('main')?.className, 'for a screen seen from afar').toMatch(
      /\bkiosk$/,
    )
    const media = {
      getUserMedia: vi.fn<MediaDevices['getUserMedia']>(
        async () => ({ getTracks: () => [] }) as never,
      ),
    }
    const isTakeOff = () =>
      screen.getByRole('button', { name: /^Take the picture/ }).getAttribute('aria-disabled')
    takeAnyStream()
    vi.stubGlobal('navigator', { mediaDevices: media })
    stubCanvas(() => new Blob(['GIF89a'], { type: 'image/jpeg' }))
    await press('I agree, start')
    expect(media.getUserMedia.mock.calls[0]?.[0]).toMatchObject({ video: { facingMode: 'user' } })
    expect(screen.queryByRole('button', { name: 'Pick another star' })).toBeNull()
    expect(isTakeOff()).toBe('false')
    await press('Take the picture')
    for (let second = 0; second < 3; second += 1) await pass(1_000)
    await pass(1_000)
    const form = of(asked, 'POST ai').at(-1) as FormData
    expect(form.get('presetId')).toBe('bo-west')
    await press('Try again')
    expect(of(asked, 'POST hand-over'), 'a code that did not come').toHaveLength(2)
    await press('Take another (1 left)')
    expect(isTakeOff()).toBe('false')
  })

  it('shows no camera while a picture is made, and takes none while a photo is looked at', async () => {
    const look = Promise.withResolvers<object>()
    const made = Promise.withResolvers<object>()
    answerCalls({
      ...answers,
      'POST ai?action=inspect': () => look.promise,
      'POST ai?action=generate': () => made.promise,
    })
    await open('/e/gala/kiosk', <KioskPage />)
    await press('I agree, start')
    await takePicture()
    const take = screen.getByRole('button', { name: 'Take the picture' })
    expect(take.getAttribute('aria-disabled')).toBe('true')
    look.resolve(fitPhoto)
    await pass(1_000)
    expect(screen.getByRole('progressbar')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Take the picture' })).toBeNull()
    made.resolve({ code: 'generation_failed' })
    await pass(1_000)
    await press('Dismiss')
    expect(screen.queryByText(/The selfie could not be made/)).toBeNull()
  })

  it('fills the screen at a touch, where the browser lets it', async () => {
    const fill = vi.fn(() => Promise.reject(new Error('not now')))
    const root = document.documentElement
    Object.defineProperty(root, 'requestFullscreen', { configurable: true, value: fill })
    Object.defineProperty(document, 'fullscreenElement', { configurable: true, value: null })
    answerCalls(answers)
    await open('/e/gala/kiosk', <KioskPage />)
    await act(async () => void fireEvent.pointerDown(document.body))
    expect(fill).toHaveBeenCalledOnce()
    Object.defineProperty(document, 'fullscreenElement', { configurable: true, value: root })
    fireEvent.pointerDown(document.body)
    expect(fill, 'it does already').toHaveBeenCalledOnce()
    Reflect.deleteProperty(root, 'requestFullscreen')
    Object.defineProperty(document, 'fullscreenElement', { configurable: true, value: null })
    await act(async () => void fireEvent.pointerDown(document.body))
    Reflect.deleteProperty(document, 'fullscreenElement')
  })

  it('welcomes with six stars', async () => {
    const stars = Array.from({ length: 7 }, (_, n) => ({ ...testEvent.stars[0]!, id: `star-${n}` }))
    answerCalls({ ...answers, 'GET gala': { event: { ...testEvent, stars }, roles: ['kiosk'] } })
    await open('/e/gala/kiosk', <KioskPage />)
    expect(within(screen.getByRole('list', { name: 'Stars' })).getAllByRole('img')).toHaveLength(6)
  })

  it('speaks to who stands before it of a photo that does not do, and names the event aloud', async () => {
    const face_cut = { code: 'face_cut' as const, sentence: 'Your face is cut off.' }
    answerCalls({
      ...answers,
      'POST ai?action=inspect': {
        ...fitPhoto,
        usable: false,
        faces: [{ ...face, refusals: ['face_cut'], reason: null, hints: [] }],
        refusals: [face_cut],
      },
    })
    await open('/e/gala/kiosk', <KioskPage />)
    await press('I agree, start')
    expect(screen.getByRole('heading', { name: 'Museum night' })).toBeDefined()
    await takePicture()
    await pass(1_000)
    expect(document.body.textContent).toContain('Step into the middle and take it again.')
    expect(
      screen.getByRole('button', { name: 'Take it again' }).getAttribute('aria-disabled'),
    ).toBe('false')
  })

  it('says in how many seconds it starts over, from ten on, and stays for who touches it', async () => {
    answerCalls(answers)
    await open('/e/gala/kiosk', <KioskPage />)
    await press('I agree, start')
    await pass(28_000)
    expect(screen.queryByText(/^Still there/)).toBeNull()
    await pass(2_000)
    expect(screen.getByText('Still there? Starting over in 10 s. Touch to stay.')).toBeDefined()
    fireEvent.keyDown(document.body, { key: 'Tab' })
    await pass(1_000)
    expect(screen.queryByText(/^Still there/)).toBeNull()
    await pass(30_000)
    fireEvent.pointerDown(document.body)
    await pass(20_000)
    expect(screen.getByRole('button', { name: 'Start over' })).toBeDefined()
  })

  it('asks again every two seconds for the end of a session', async () => {
    const asked = answerCalls({ ...answers, 'POST leave': new Error('lost') })
    await open('/e/gala/kiosk', <KioskPage />)
    expect(of(asked, 'POST leave')).toHaveLength(1)
    await pass(6_500)
    expect(of(asked, 'POST leave')).toHaveLength(4)
  })

  it('begins in the event’s first language, whichever the last guest chose', async () => {
    await loadSpanish()
    localStorage.setItem(storageKeys.language, 'en')
    const words = { es: 'Se hace una foto.', en: 'A picture of you is made.' }
    const spoken = { languages: ['es', 'en'] as const, consent: { version: '1', words } }
    answerCalls({
      ...answers,
      'GET gala': { event: { ...testEvent, ...spoken }, roles: ['kiosk'] },
    })
    await open('/e/gala/kiosk', <KioskPage />)
    await pass(50)
    expect(screen.getByText(words.es)).toBeDefined()
  })
})

describe('the wall', () => {
  const opened = { 'GET gala': openedFor('wall') }
  const picture = (id: string, imageUrl = `/${id}.jpg`) => ({
    generationId: id,
    imageUrl,
    widthPx: 4,
    heightPx: 5,
  })
  const hanging = (): string[] =>
    [...document.querySelectorAll('figure img + img')].map((img) => img.getAttribute('src') ?? '')

  it('opens by a link alone, as what hangs there is for the room', async () => {
    const asked = answerCalls({ 'GET gala': event })
    await open('/e/gala/wall', <WallPage />)
    expect(screen.getByText('Open this page with the link from the organiser.')).toBeDefined()
    expect(of(asked, 'GET wall')).toEqual([])
  })

  it('is the code alone, until there are pictures', async () => {
    answerCalls({ ...opened, 'GET wall': { pictures: [] } })
    await open('/e/gala/wall', <WallPage />)
    expect(screen.getByRole('img', { name: 'Scan to join' })).toBeDefined()
    expect(screen.getByText('photos.example.org/e/gala')).toBeDefined()
    expect(screen.getByText(/^Take a selfie with a star/)).toBeDefined()
    const stars = within(screen.getByRole('list', { name: 'Stars' })).getAllByRole('img')
    expect(stars.map((img) => img.getAttribute('alt'))).toEqual(['Ada Vale', 'Bo West'])
  })

  it('has a code that holds the event’s address, also beside pictures', async () => {
    const codes = () =>
      [...document.querySelectorAll('svg[role=img] path')].map((path) => path.getAttribute('d'))
    await show(<ScanCode url={testEvent.joinUrl} label="" className="" />)
    const expected = codes()
    expect(expected).toHaveLength(2)
    for (const pictures of [[], [picture('a')]]) {
      cleanup()
      answerCalls({ ...opened, 'GET wall': { pictures } })
      await open('/e/gala/wall', <WallPage />)
      expect(codes()).toEqual(expected)
    }
  })

  it('keeps what hangs while there is no connection, and each picture by the address it came with', async () => {
    const answers: Parameters<typeof answerCalls>[0] = {
      ...opened,
      'GET wall': { pictures: [picture('a'), picture('b')] },
    }
    answerCalls(answers)
    await open('/e/gala/wall', <WallPage />)
    expect(hanging()).toEqual(['/a.jpg', '/b.jpg'])
    answers['GET wall'] = new Error('lost')
    await pass(20_000)
    expect(hanging()).toEqual(['/a.jpg', '/b.jpg'])
    answers['GET wall'] = { pictures: [picture('c'), picture('a', '/a.jpg?signed=anew')] }
    await pass(10_000)
    expect(hanging()).toEqual(['/c.jpg', '/a.jpg'])
    answers['GET wall'] = { pictures: [picture('a', '/variations/a.jpg')] }
    await pass(10_000)
    expect(hanging(), 'another version of it').toEqual(['/variations/a.jpg'])
  })

  it('shows one after the other', async () => {
    // Whenever it is opened, it begins with the first one.
    vi.setSystemTime(startMs + 11_000)
    const pictures = ['a', 'b', 'c'].map((id) => picture(id))
    answerCalls({ ...opened, 'GET wall': { pictures } })
    await open('/e/gala/wall', <WallPage />)
    expect(screen.getByRole('heading', { name: 'Museum night' })).toBeDefined()
    const shown = (): (string | null)[] =>
      [...document.querySelectorAll('figure')].map((figure) => figure.getAttribute('aria-hidden'))
    const isSeen = (): boolean[] =>
      [...document.querySelectorAll('figure')].map(
        ({ className }) => !/\bopacity-0/.test(className),
      )
    const drawn = (): boolean[] =>
      [...document.querySelectorAll('figure')].map(
        ({ className }) => !/\binvisible/.test(className),
      )
    expect(shown()).toEqual(['false', 'true', 'true'])
    expect(drawn(), 'the one before may still fade').toEqual([true, false, true])
    expect(isSeen()).toEqual([true, false, false])
    expect(document.querySelectorAll('figure img:not([alt=""])')).toHaveLength(1)
    expect(screen.getAllByText('Made with AI.'), 'beside each').toHaveLength(3)
    await pass(8_000)
    expect(shown()).toEqual(['true', 'false', 'true'])
    expect(drawn()).toEqual([true, true, false])
    await pass(16_000)
    expect(shown()).toEqual(['false', 'true', 'true'])
  })

  it('asks for what may hang there every ten seconds, and lets each picture hang for eight', async () => {
    const asked = answerCalls({
      ...opened,
      'GET wall': { pictures: ['a', 'b'].map((id) => picture(id)) },
    })
    await open('/e/gala/wall', <WallPage />)
    const first = () => document.querySelector('figure')?.getAttribute('aria-hidden')
    await pass(7_000)
    expect(first()).toBe('false')
    await pass(1_500)
    expect(first()).toBe('true')
    expect(screen.getByRole('img', { name: "A guest's selfie, made with AI" })).toBeDefined()
    expect(of(asked, 'GET wall')).toHaveLength(1)
    await pass(2_000)
    expect(of(asked, 'GET wall')).toHaveLength(2)
  })

  it('shows six of the event’s stars, each by name', async () => {
    const stars = Array.from({ length: 7 }, (_, n) => ({
      ...testEvent.stars[0]!,
      id: `star-${n}`,
      name: `Star ${n}`,
    }))
    answerCalls({
      'GET gala': { event: { ...testEvent, stars }, roles: ['wall'] },
      'GET wall': { pictures: [] },
    })
    await open('/e/gala/wall', <WallPage />)
    const shown = within(screen.getByRole('list', { name: 'Stars' })).getAllByRole('img')
    expect(shown.map((img) => img.getAttribute('alt'))).toEqual(
      [0, 1, 2, 3, 4, 5].map((n) => `Star ${n}`),
    )
  })
})

describe('the moderator', () => {
  const askedAt = '2026-11-22T17:00:00Z'
  const first: ModerationAnswer['pictures'][number] = {
    generationId: 'one',
    imageUrl: '/one.jpg',
    widthPx: 4,
    heightPx: 5,
    wall: 'asked',
    askedAt,
  }

  it('approves a picture, and decides later after all', async () => {
    const pictures = [first]
    const answers: Parameters<typeof answerCalls>[0] = {
      'GET gala': openedFor('moderator'),
      'GET moderation': { pictures, nextCursor: null },
      'PUT one': () => {
        const approved = pictures.map((picture) => ({ ...picture, wall: 'approved' }))
        answers['GET moderation'] = { pictures: approved, nextCursor: null }
        return {}
      },
    }
    const asked = answerCalls(answers)
    await open('/e/gala/moderate', <ModerationPage />)
    const isPressed = (name: string) =>
      screen.getByRole('button', { name }).getAttribute('aria-pressed')
    expect([isPressed('Approve'), isPressed('Decide later')]).toEqual(['false', 'true'])
    await press('Approve')
    expect(isPressed('Approve'), 'at once').toBe('true')
    await press('Decide later')
    expect(of(asked, 'PUT one')).toEqual([
      { wall: 'approved', askedAt },
      { wall: 'asked', askedAt },
    ])
  })

  it('judges on while the list is read anew', async () => {
    const answers: Parameters<typeof answerCalls>[0] = {
      'GET gala': openedFor('moderator'),
      'GET moderation': { pictures: [first], nextCursor: null },
      'PUT one': {},
    }
    const asked = answerCalls(answers)
    await open('/e/gala/moderate', <ModerationPage />)
    answers['GET moderation'] = () => Promise.withResolvers<object>().promise
    await press('Approve')
    await press('Hide')
    expect(of(asked, 'PUT one')).toEqual([
      { wall: 'approved', askedAt },
      { wall: 'hidden', askedAt },
    ])
  })

  it('sees what guests have asked for meanwhile, page by page, and that nobody has', async () => {
    const other = { ...first, generationId: 'two', imageUrl: '/two.jpg' }
    const answers: Parameters<typeof answerCalls>[0] = {
      'GET gala': openedFor('moderator'),
      'GET moderation': { pictures: [], nextCursor: null },
      'GET moderation?cursor=later': { pictures: [other], nextCursor: null },
    }
    answerCalls(answers)
    await open('/e/gala/moderate', <ModerationPage />)
    const pictures = () => [...document.querySelectorAll('li img')].map((img) => img.outerHTML)
    expect(screen.getByText('No selfies to review yet.')).toBeDefined()
    answers['GET moderation'] = { pictures: [first], nextCursor: 'later' }
    await pass(6_000)
    expect(screen.queryByText('No selfies to review yet.')).toBeNull()
    await press('Show more')
    expect(pictures()).toEqual([
      expect.stringContaining('/one.jpg'),
      expect.stringContaining('/two.jpg'),
    ])
    answers['GET moderation?cursor=later'] = { pictures: [], nextCursor: null }
    await pass(6_000)
    expect(pictures()).toHaveLength(1)
    expect(screen.queryByText('No selfies to review yet.'), 'an empty last page').toBeNull()
  })

  it.each([
    ['moderate', ModerationPage, 'moderator', 'GET moderation', { pictures: [], nextCursor: null }],
    ['print', PrintsPage, 'attendant', 'GET prints', { prints: [] }],
  ])(
    'is told where the list of %s does not come, and asks again',
    async (path, Page, role, question, list) => {
      const answers: Parameters<typeof answerCalls>[0] = {
        'GET gala': openedFor(role),
        [question]: { code: 'internal', error: 'Not now.' },
      }
      answerCalls(answers)
      await open(`/e/gala/${path}`, <Page />)
      expect(screen.getByRole('alert').textContent).toContain('Not now.')
      answers[question] = list
      await press('Try again')
      expect(screen.getByText(/^(?:No selfies to review yet|Nothing to print)[.]$/)).toBeDefined()
    },
  )

  it('is told why a picture could not be judged, and keeps pictures whose addresses are signed anew', async () => {
    const answers: Parameters<typeof answerCalls>[0] = {
      'GET gala': openedFor('moderator'),
      'GET moderation': { pictures: [first], nextCursor: null },
      'PUT one': { code: 'internal', error: 'Not now.' },
    }
    answerCalls(answers)
    await open('/e/gala/moderate', <ModerationPage />)
    expect(screen.getByRole('heading', { name: 'Museum night', level: 1 })).toBeDefined()
    expect(document.body.textContent).toContain('Nov 22, 2026, 9:00')
    const picture = document.querySelector('li img')
    expect([picture?.getAttribute('width'), picture?.getAttribute('height')]).toEqual(['4', '5'])
    answers['GET moderation'] = {
      pictures: [{ ...first, imageUrl: '/one.jpg?signed=anew' }],
      nextCursor: null,
    }
    await pass(6_000)
    expect(document.querySelector('li img')).toBe(picture)
    await press('Approve')
    expect(screen.getByText('Not now.')).toBeDefined()
  })
})

describe('the attendant', () => {
  const print: PrintQueueAnswer['prints'][number] = {
    printId: 'p1',
    format: 'strip',
    createdAt: '2026-11-22T17:00:00Z',
    printedAt: null,
    generationId: 'one',
    number: 7,
    imageUrl: '/one.jpg',
    furtherUrls: ['/two.jpg'],
    widthPx: 1536,
    heightPx: 1920,
  }

  it('prints one by the browser’s dialog, which marks it, and can take that back', async () => {
    const printed = { ...print, printedAt: '2026-11-22T18:00:00Z' }
    const answers: Parameters<typeof answerCalls>[0] = {
      'GET gala': openedFor('attendant'),
      'GET prints': { prints: [print] },
      'PUT p1': () => {
        answers['GET prints'] = { prints: [printed] }
        return { prints: [printed] }
      },
    }
    const asked = answerCalls(answers)
    const pressed = (name: string) =>
      screen.getByRole('button', { name }).getAttribute('aria-pressed')
    const sheets: (string | null)[][] = []
    window.print = () => {
      const pictures = document.querySelectorAll('.print-sheet.print-strip img')
      sheets.push([...pictures].map((picture) => picture.getAttribute('src')))
    }
    HTMLImageElement.prototype.decode ??= () => Promise.resolve()
    vi.spyOn(HTMLImageElement.prototype, 'decode')
      .mockResolvedValue(undefined)
      .mockRejectedValueOnce(new Error('one of them can’t be shown'))
    await open('/e/gala/print', <PrintsPage />)
    await press('Print number 7')
    const row = ['/one.jpg', '/one.jpg', '/two.jpg', '/two.jpg']
    expect(sheets).toEqual([[...row, ...row]])
    expect(document.querySelector('.print-sheet')).toBeNull()
    expect(screen.queryByRole('region', { name: 'To print' }), 'none waits').toBeNull()
    expect(screen.getByText('Number 7 is marked as printed.')).toBeDefined()
    expect(screen.getByText('Nothing to print.')).toBeDefined()
    expect(screen.getByRole('region', { name: 'Printed' }).textContent).toContain('Print again')
    expect(pressed('Printed')).toBe('true')
    answers['PUT p1'] = { code: 'internal', error: 'Not now.' }
    await press('To print')
    expect(of(asked, 'PUT p1')).toEqual([{ isPrinted: true }, { isPrinted: false }])
    expect(screen.getByText('Not now.')).toBeDefined()
    answers['PUT p1'] = { prints: [print] }
    await press('To print')
    expect(screen.getByText('Number 7 waits to be printed.')).toBeDefined()
    expect(screen.queryByText('Not now.')).toBeNull()
  })

  it.each([
    ['square', 1, 1, 'Square'],
    ['10x15', 1, 1, 'Photo 10 × 15'],
    ['strip', 8, 2, 'Strip of four'],
  ] as const)(
    'a sheet for %s has %d pictures and %d titles, and names its format in the list',
    async (format, cells, titles, name) => {
      answerCalls({
        'GET gala': openedFor('attendant'),
        'GET prints': { prints: [{ ...print, format }] },
      })
      HTMLImageElement.prototype.decode ??= () => Promise.resolve()
      const decoding = Promise.withResolvers<undefined>()
      vi.spyOn(HTMLImageElement.prototype, 'decode').mockReturnValue(decoding.promise)
      await open('/e/gala/print', <PrintsPage />)
      expect(screen.getByText(name)).toBeDefined()
      expect(screen.getByText('7')).toBeDefined()
      await press('Print number 7')
      const sheet = document.querySelector(`.print-sheet.print-${format}`)
      expect(sheet?.querySelectorAll('.print-cell img')).toHaveLength(cells)
      const said = [...(sheet?.querySelectorAll('p') ?? [])].map(({ textContent }) => textContent)
      expect(said).toEqual(Array.from({ length: titles }, () => 'Museum night'))
      const printed = vi.spyOn(window, 'print').mockReturnValue(undefined)
      cleanup()
      decoding.resolve(undefined)
      await pass(50)
      expect(printed, 'who has left the page').not.toHaveBeenCalled()
    },
  )

  it('asks for prints every five seconds, and shows those that wait apart from those that are done', async () => {
    const done = { ...print, printId: 'p2', number: 8, printedAt: '2026-11-22T18:00:00Z' }
    const asked = answerCalls({
      'GET gala': openedFor('attendant'),
      'GET prints': { prints: [print, done] },
    })
    await open('/e/gala/print', <PrintsPage />)
    const listed = (name: string) =>
      [...screen.getByRole('region', { name }).querySelectorAll('li')].map((item) => [
        item.querySelector('p')?.textContent,
        within(item).getByRole('button', { name: 'To print' }).getAttribute('aria-pressed'),
      ])
    expect([listed('To print'), listed('Printed')]).toEqual([[['7', 'true']], [['8', 'false']]])
    expect(screen.queryByText('Nothing to print.')).toBeNull()
    expect(screen.getByText(/^Choose borderless photo paper/)).toBeDefined()
    expect(document.body.textContent, 'in the reader’s own time').toContain('Nov 22, 2026, 9:00')
    await pass(4_000)
    expect(of(asked, 'GET prints')).toHaveLength(1)
    await pass(1_500)
    expect(of(asked, 'GET prints')).toHaveLength(2)
  })
})
