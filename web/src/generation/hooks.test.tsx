import type { GenerationItem } from '@starside/contract/generation.ts'
import { act, cleanup, fireEvent, renderHook, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../api/call.ts'
import { show } from '../auth/testing/show.tsx'
import { readOpenHoldId, storeOpenHold } from '../credits/open-hold.ts'
import {
  dropOldEntries,
  isAlive,
  removeEntry,
  keepSharedPhoto,
  takeSharedPhoto,
} from '../install/photo-store.ts'
import { stubDatabases } from '../install/testing/test-database.ts'
import { LanguageProvider } from '../ui/language.tsx'
import { answerRequests, happened, noted, settle } from '../ui/testing/press-each.ts'
import { follow, resumeEarlier } from './use-generator.ts'
import {
  draftOf,
  forgetDraft,
  keepDraft,
  rememberTriedStar,
  restoreDraft,
  triedStar,
  useDraft,
  type SelfieDraft,
} from './selfie-draft.ts'
import {
  generationForm,
  CreditBackError,
  sameRequest,
  upload,
  type GenerationRequest,
} from './start-generation.ts'
import { testSelfie } from './testing/test-selfie.ts'
import { testStar } from './testing/test-star.ts'
import { canSharePictures, shareNatively } from './use-picture-sharing.ts'
import { usePhoto, type ChosenPhoto } from './use-photo.ts'
import { usePresets, useStarSearch } from './use-presets.ts'
import { useRovingFocus } from './use-roving-focus.ts'
import { usePastedPhoto, useSharedPhoto } from './use-shared-photo.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'

const nowMs = Date.parse('2026-11-22T12:00:00Z')
const halfHourMs = 30 * 60_000

let databases: ReturnType<typeof stubDatabases>
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs })
  databases = stubDatabases()
  happened.length = 0
  answerRequests()
})
afterEach(() => {
  forgetDraft()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
})

const file = new File(['GIF89a'], 'me.jpg', { type: 'image/jpeg' })
const prepared = { file, readable: true, widthPx: 8, heightPx: 10 }
const photo: ChosenPhoto = {
  prepared,
  check: { state: 'failed', error: new Error('no answer') },
  faceIndex: 2,
}
const draft: SelfieDraft = {
  userId: 'u1',
  mine: photo,
  star: { custom: null, presetId: 'ada-vale' },
  second: null,
  background: null,
  borrowed: false,
  used: null,
  wishes: { scene: 'own', aspect: '4:5', look: 'natural', prompt: '', consent: false },
}

describe('what was chosen', () => {
  beforeEach(() => vi.useFakeTimers({ now: nowMs, toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  it('is kept after a pause, for half an hour, and given back to the same person alone', async () => {
    keepDraft({ ...draft, userId: 'other' })
    keepDraft(draft)
    await pass(249)
    expect(databases.size).toBe(0)
    await pass(1)
    expect([...databases.keys()]).toEqual(['selfie_draft'])
    const kept = await restoreDraft('u1', nowMs + halfHourMs)
    expect(kept?.mine).toEqual({ ...photo, check: null })
    expect(await restoreDraft('u1', nowMs + 250 + halfHourMs - 1)).toMatchObject({ version: 5 })
    expect(await restoreDraft('u1', nowMs + 250 + halfHourMs)).toBeNull()
    expect(databases.size).toBe(0)
  })

  it('whose photo the browser gives back damaged is left out, and goes', async () => {
    const damaged = { ...photo, prepared: { ...photo.prepared, file: {} } } as never
    keepDraft({ ...draft, mine: damaged })
    await pass(250)
    expect(databases.size).toBe(1)
    expect(await restoreDraft('u1', nowMs)).toBeNull()
    expect(databases.size).toBe(0)
  })

  it('is none of somebody else’s, and goes for them', async () => {
    keepDraft(draft)
    await pass(250)
    expect(draftOf('u1')).toBe(draft)
    expect(await restoreDraft('u2', nowMs)).toBeNull()
    expect(databases.size).toBe(0)
    expect(draftOf('u2')).toBeNull()
    expect(draftOf('u1')).toBeNull()
  })

  it('goes by itself from a page that stays open', async () => {
    keepDraft(draft)
    await pass(250)
    await pass(halfHourMs - 1)
    expect(databases.size).toBe(1)
    await pass(1)
    expect(databases.size).toBe(0)
  })

  it('goes with the next visit once it is old, and only then', async () => {
    keepDraft(draft)
    await pass(250)
    await dropOldEntries(nowMs + 250 + halfHourMs - 1)
    expect(databases.size).toBe(1)
    await dropOldEntries(nowMs + 250 + halfHourMs)
    expect(databases.size).toBe(0)
  })

  it('goes at once when somebody signs out', async () => {
    keepDraft(draft)
    forgetDraft()
    await pass(1000)
    expect([databases.size, draftOf('u1')]).toEqual([0, null])
  })

  it('goes with its last change when somebody signs out while one is written', async () => {
    keepDraft(draft)
    vi.advanceTimersByTime(250)
    keepDraft({ ...draft, second: { custom: photo, presetId: null } })
    await pass(0)
    expect(databases.size).toBe(1)
    forgetDraft()
    await pass(1000)
    expect(databases.size).toBe(0)
  })

  it.each([
    ['mine', {}],
    ['star', { mine: null, star: { custom: photo, presetId: null } }],
    ['second', { mine: null, second: { custom: photo, presetId: null } }],
    ['background', { mine: null, background: photo }],
  ])('with a photo as %s is kept', async (_as, change) => {
    keepDraft({ ...draft, ...change })
    await pass(250)
    expect(databases.size).toBe(1)
  })

  it('is kept for the sake of a place alone, or of the second star’s photo', async () => {
    const second = { custom: photo, presetId: null }
    for (const change of [{ background: photo }, { second }]) {
      keepDraft({ ...draft, mine: null, ...change })
      await pass(250)
      expect([...databases.keys()]).toEqual(['selfie_draft'])
      databases.clear()
    }
  })

  it('keeps its second star, also beside the selfie that they were chosen for', async () => {
    const second = { custom: photo, presetId: null }
    for (const used of [null, photo]) {
      keepDraft({ ...draft, second, used })
      await pass(250)
      const kept = await restoreDraft('u1', Date.now())
      expect(kept?.second?.custom?.prepared?.file).toBe(file)
    }
  })

  it('is not kept without any photo', async () => {
    keepDraft({ ...draft, mine: null })
    await pass(250)
    expect(databases.size).toBe(0)
  })

  it.each<[string, Partial<SelfieDraft>, number]>([
    ['where nothing is chosen yet', {}, 1],
    ['but not over a photo', { mine: photo }, 0],
    ['but not over a star’s photo', { star: { custom: photo, presetId: null } }, 0],
    ['but not over a place', { background: photo }, 0],
  ])('is taken over from the page before, %s', async (_where, change, times) => {
    keepDraft(draft)
    await pass(250)
    const takeOver = vi.fn()
    const now = { ...draft, mine: null, star: { custom: null, presetId: null }, ...change }
    const { unmount } = renderHook(() => useDraft(now, { isKept: false }, takeOver))
    await act(() => pass(0))
    expect(takeOver).toHaveBeenCalledTimes(times)
    unmount()
  })

  it('of an answered check is kept with its answer', async () => {
    const check = { state: 'answered', answer: { usable: true } } as never
    keepDraft({ ...draft, mine: { ...photo, check } })
    await pass(250)
    expect((await restoreDraft('u1', nowMs))?.mine?.check).toEqual(check)
  })
})

it('the star that was tried waits for this tab’s studio', () => {
  rememberTriedStar('ada-vale')
  expect([triedStar(), sessionStorage.getItem('chosen_star')]).toEqual(['ada-vale', 'ada-vale'])
  rememberTriedStar(null)
  expect([triedStar(), sessionStorage.length]).toEqual([null, 0])
})

describe('a shared photo', () => {
  it('is taken once, and within half an hour', async () => {
    await keepSharedPhoto(file, nowMs)
    expect([...databases.keys()]).toEqual(['shared_photo'])
    expect(await takeSharedPhoto(nowMs + halfHourMs - 1)).toBe(file)
    expect(await takeSharedPhoto(nowMs)).toBeNull()
    await keepSharedPhoto(file, nowMs)
    expect(await takeSharedPhoto(nowMs + halfHourMs)).toBeNull()
    await keepSharedPhoto(file, nowMs)
    await removeEntry('shared_photo')
    expect(databases.size).toBe(0)
  })

  it('is dropped when it is old, and only then', async () => {
    await keepSharedPhoto(file, nowMs)
    await dropOldEntries(nowMs + halfHourMs - 1)
    expect(databases.size).toBe(1)
    await dropOldEntries(nowMs + halfHourMs)
    expect(databases.size).toBe(0)
    expect([isAlive({}, nowMs), isAlive({ savedAtMs: nowMs }, nowMs)]).toEqual([false, true])
  })

  it('is none where the browser stores nothing', async () => {
    vi.stubGlobal('indexedDB', undefined)
    expect(await takeSharedPhoto(nowMs)).toBeNull()
    await expect(keepSharedPhoto(file, nowMs)).rejects.toThrow()
  })

  function Shared({ isReady }: { isReady: boolean }) {
    useSharedPhoto(isReady, noted('photo'))
    return null
  }

  it('is taken over when the studio is ready, and the address says so no more', async () => {
    await keepSharedPhoto(file, nowMs)
    history.replaceState(null, '', '/dashboard?shared')
    const { again } = await show(<Shared isReady={false} />)
    await settle()
    expect(happened).toEqual([])
    await again(<Shared isReady />)
    await settle()
    expect(happened).toEqual(['photo(file me.jpg)'])
    expect(location.search).toBe('')
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('that did not come is said', async () => {
    history.replaceState(null, '', '/dashboard?shared')
    await show(<Shared isReady />)
    await settle()
    expect(screen.getByText("We didn't get the shared photo. Choose it here.")).toBeTruthy()
    expect(happened).toEqual([])
  })
})

describe('a pasted picture', () => {
  const paste = (target: EventTarget, ...types: string[]): boolean => {
    const files = types.map((type, n) => new File(['x'], `pasted-${n}`, { type }))
    const event = new Event('paste', { bubbles: true, cancelable: true })
    return target.dispatchEvent(Object.assign(event, { clipboardData: { files } }))
  }
  it('is taken anywhere but in a text field, where one is wanted', () => {
    const { rerender, unmount } = renderHook(({ off }) => usePastedPhoto(off, noted('photo')), {
      initialProps: { off: false },
    })
    expect(paste(document.body, 'text/plain', 'image/png')).toBe(false)
    expect(happened).toEqual(['photo(file pasted-1)'])
    const fields = ['input', 'textarea'].map((name) =>
      document.body.appendChild(document.createElement(name)),
    )
    expect([...fields.map((field) => paste(field, 'image/png')), paste(document.body)]).toEqual([
      true,
      true,
      true,
    ])
    rerender({ off: true })
    expect(paste(document.body, 'image/png')).toBe(true)
    rerender({ off: false })
    unmount()
    expect(paste(document.body, 'image/png')).toBe(true)
    expect(happened).toHaveLength(1)
  })
})

describe('keys among the buttons of a group', () => {
  function Group({ columns }: { columns: number }) {
    const { group, onKeyDown } = useRovingFocus()
    return (
      <div ref={group} role="toolbar" tabIndex={-1} onKeyDown={onKeyDown}>
        {Array.from({ length: 6 }, (_, n) => (
          <button
            key={n}
            type="button"
            ref={(button) => {
              if (button)
                Object.defineProperty(button, 'offsetTop', { value: Math.floor(n / columns) })
            }}
          >
            {n}
          </button>
        ))}
      </div>
    )
  }
  it.each([
    [
      3,
      {
        ArrowRight: '2',
        ArrowLeft: '0',
        ArrowDown: '4',
        ArrowUp: '1',
        Home: '0',
        End: '5',
        a: '1',
      },
    ],
    [
      6,
      {
        ArrowRight: '2',
        ArrowLeft: '0',
        ArrowDown: '2',
        ArrowUp: '0',
        Home: '0',
        End: '5',
        a: '1',
      },
    ],
  ])('of %d columns lead from the second one', async (columns, to) => {
    await show(<Group columns={columns} />)
    for (const [key, expected] of Object.entries(to)) {
      const second = screen.getByRole('button', { name: '1' })
      second.focus()
      const isLeft = fireEvent.keyDown(second, { key })
      expect([key, document.activeElement?.textContent, isLeft]).toEqual([
        key,
        expected,
        expected === '1',
      ])
    }
  })
})

describe('more stars', () => {
  const star = testStar({ id: 'new', name: 'New' })
  const answer = { success: true, presets: [testStar(), star], nextCursor: 'third' }
  const open = (cursor: string | null, query = '', category: 'music' | null = null) => {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    const page = { success: true, presets: [testStar()], nextCursor: cursor }
    client.setQueryData(['presets'], { pages: [page], pageParams: [null] })
    const wrapper = ({ children }: { children: React.ReactNode }) => (
      <LanguageProvider initial="en">
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </LanguageProvider>
    )
    const filters: { query: string; category: 'music' | null } = { query: '', category: null }
    const useStars = (filter: typeof filters) => {
      const known = usePresets()
      // As a component shows it: all of it is followed.
      useStarSearch(filter, known.query.hasNextPage)
      return { ...known, query: { ...known.query } }
    }
    const hook = renderHook(useStars, { wrapper, initialProps: filters })
    hook.rerender({ query, category })
    return {
      hook,
      more: () => act(async () => void hook.result.current.query.fetchNextPage()),
      ids: () => hook.result.current.presets.map(({ id }) => id),
    }
  }
  const next = 'GET /api/ai?action=presets&cursor=second'
  it('come page by page, each star once; a page that fails can be asked for again', async () => {
    const { hook, more, ids } = open('second')
    expect(hook.result.current.query.hasNextPage).toBe(true)
    answerRequests({ [next]: 500 })
    await more()
    await waitFor(() => expect(hook.result.current.query.isFetchNextPageError).toBe(true))
    const { isLoadingError, hasNextPage } = hook.result.current.query
    expect([ids(), isLoadingError, hasNextPage]).toEqual([['ada-vale'], false, true])
    answerRequests({ [next]: answer })
    await more()
    await waitFor(() => expect(ids()).toEqual(['ada-vale', 'new']))
    expect(happened).toEqual([next, next])
  })
  it.each([
    ['a name', ' Bo ', null, 'q=Bo'],
    ['a category', '', 'music', 'category=music'],
    ['both', 'Bo', 'music', 'q=Bo&category=music'],
    ['a long name', 'b'.repeat(101), null, `q=${'b'.repeat(100)}`],
  ] as const)('by %s are asked for after a pause', async (_by, query, category, asked) => {
    vi.useFakeTimers({ now: nowMs, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const address = `GET /api/ai?action=presets&${asked}`
    answerRequests({ [address]: answer })
    const { hook, more, ids } = open('second', query, category)
    await act(() => vi.advanceTimersByTimeAsync(249))
    expect(happened).toEqual([])
    await act(() => vi.advanceTimersByTimeAsync(1))
    expect(happened).toEqual([address])
    await act(() => vi.advanceTimersByTimeAsync(10))
    expect(ids()).toEqual(['ada-vale', 'new'])
    expect(hook.result.current.query.hasNextPage).toBe(true)
    await more()
    expect(happened, 'the list goes on where it did').toEqual([address, next])
  })
  it('are asked for by the whole word, however slowly it is typed', async () => {
    vi.useFakeTimers({ now: nowMs, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const { hook } = open('second', 'Bo')
    await act(() => vi.advanceTimersByTimeAsync(200))
    hook.rerender({ query: 'Bob', category: null })
    await act(() => vi.advanceTimersByTimeAsync(249))
    expect(happened).toEqual([])
    await act(() => vi.advanceTimersByTimeAsync(1))
    expect(happened).toEqual(['GET /api/ai?action=presets&q=Bob'])
  })
  it('are none where all are known', async () => {
    vi.useFakeTimers({ now: nowMs, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const { hook } = open(null, 'Bo')
    await act(() => vi.advanceTimersByTimeAsync(1000))
    expect([happened, hook.result.current.query.hasNextPage]).toEqual([[], false])
  })
})

const star = { presetId: null, photo: new File(['y'], 'star.jpg'), faceIndex: 1 }
const second = { presetId: null, photo: new File(['z'], 'second.jpg'), faceIndex: 3 }
const request: GenerationRequest = {
  userPhoto: file,
  stars: [star, second],
  prompt: ' warm ',
  scene: 'own',
  background: null,
  aspect: '1:1',
  look: 'warm',
  userFaces: [0, 2],
  consent: true,
  photoDigests: new Map([[file, 'digest']]),
}

it.each<[string, Partial<GenerationRequest>]>([
  ['two photos of stars', {}],
  ['a preset', { stars: [{ ...star, presetId: 'ada' }], consent: false }],
  [
    'two presets',
    {
      stars: [
        { ...star, presetId: 'ada', faceIndex: null },
        { presetId: 'bo', photo: null, faceIndex: 3 },
      ],
    },
  ],
  ['a place', { background: new File(['p'], 'place.jpg'), scene: null, userFaces: [1] }],
  ['nothing else', { prompt: '  ', look: 'natural', userFaces: [], stars: [star], isRepeat: true }],
])('the form of a request with %s', (_with, change) => {
  const form = generationForm({ ...request, ...change })
  expect(
    [...form].map(
      ([name, value]) =>
        `${name}=${value instanceof File ? `file ${value.name} ${value.size}` : value}`,
    ),
  ).toMatchSnapshot()
})

it.each<[boolean, Partial<GenerationRequest>]>([
  [true, {}],
  [true, { photoDigests: new Map() }],
  [true, { userFaces: [0, 2] }],
  [false, { userFaces: [0, 1] }],
  [false, { prompt: 'cold' }],
  [false, { stars: [{ ...star, photo: new File(['y'], 'star.jpg') }, second] }],
  [false, { stars: [star] }],
  [false, { consent: false }],
])('is the same request once more: %s with %o', (isSame, change) => {
  expect(sameRequest(request, { ...request, ...change })).toBe(isSame)
})

it('a preset’s picture that was fetched anew is the same', () => {
  const preset = (picture: File) => ({
    ...request,
    stars: [{ presetId: 'ada', photo: picture, faceIndex: null }],
  })
  expect(sameRequest(preset(file), preset(new File([''], 'a')))).toBe(true)
})

const hold = { holdId: 'h1', key: 'k1', userId: 'u1', description: 'd', placedAtMs: nowMs }
const generate = 'POST /api/ai?action=generate&holdId=h1'
const release = 'POST /api/user?action=release-hold'
const item: GenerationItem = {
  ...testSelfie,
  state: 'running',
  stage: 'queued',
  imageUrl: null,
  createdAt: '2026-11-22T12:00:01Z',
}

describe('an upload', () => {
  const send = async () => {
    storeOpenHold(hold)
    const { signal } = new AbortController()
    return upload({ request, key: 'k', holdId: 'h1' }, signal, nowMs, noted('answered')).catch(
      (failure: unknown) => failure,
    )
  }
  const calls = () => happened.map((line) => line.split(' ').slice(0, 2).join(' '))

  it('that arrives has used its hold', async () => {
    answerRequests({ [generate]: { success: true, generation: item } })
    expect(await send()).toEqual({ item })
    expect([readOpenHoldId(), happened.at(-1)]).toEqual([null, 'answered(true)'])
  })
  it('that breaks off gives its credit back', async () => {
    answerRequests({ [generate]: 502, [release]: { success: true, released: true } })
    expect(await send()).toBeInstanceOf(CreditBackError)
    expect([readOpenHoldId(), ...calls().slice(1)]).toEqual([null, release, 'answered(true)'])
  })
  it.each([
    [422, 'face_missing', CreditBackError],
    [409, 'already_made', ApiError],
  ])('that is refused with %i %s fails as one whose credit is told of: %o', async (...refusal) => {
    const [status, code, kind] = refusal
    const answer = { success: false, error: 'No.', code }
    vi.stubGlobal('fetch', async () => Response.json(answer, { status }))
    expect(await send()).toBeInstanceOf(kind)
    expect([readOpenHoldId(), happened.at(-1)]).toEqual([null, 'answered(true)'])
  })
  it('whose answer alone was lost is found again', async () => {
    const list = { success: true, items: [item], nextCursor: null, total: 0, stars: [] }
    answerRequests({
      [generate]: 502,
      [release]: { success: true, released: false },
      'GET /api/generations': list,
    })
    expect(await send()).toEqual({ item })
    expect(calls().at(-1)).toBe('GET /api/generations')
  })
  it('of which nothing is known keeps its hold for the next try', async () => {
    answerRequests({ [generate]: 502, [release]: 500 })
    expect(await send()).toBeInstanceOf(ApiError)
    expect([readOpenHoldId(), happened.at(-1)]).toEqual(['h1', 'answered(true)'])
  })
})

describe('what an earlier visit left', () => {
  const resume = async (): Promise<string[]> => {
    const said: string[] = []
    await resumeEarlier(
      (action) => said.push(JSON.stringify(action)),
      { current: null },
      new AbortController().signal,
    )
    await settle()
    return said
  }
  const keep = (ageMs: number, more = {}): void =>
    localStorage.setItem(
      'generated_image',
      JSON.stringify({ imageUrl: '/kept.jpg', timestamp: nowMs - ageMs, ...more }),
    )
  it('is nothing', async () => {
    expect([await resume(), happened]).toEqual([[], []])
  })
  it.each([
    [halfHourMs - 1, 1],
    [halfHourMs, 0],
  ])('is a picture of %d ms ago: %d', async (ageMs, count) => {
    keep(ageMs)
    expect(await resume()).toHaveLength(count)
    expect(localStorage.length).toBe(count)
  })
  it('is a picture whose details are asked for', async () => {
    keep(0, { generationId: 'one' })
    answerRequests({ 'GET /api/generations/one': { success: true, generation: testSelfie } })
    expect(await resume()).toMatchSnapshot()
  })
  it.each([
    [404, true],
    [500, false],
  ])('is a picture of which the server says %d: it goes %s', async (status, isGone) => {
    keep(0, { generationId: 'one' })
    answerRequests({ 'GET /api/generations/one': status })
    expect((await resume()).includes('{"type":"remove-picture"}')).toBe(isGone)
    expect(localStorage.getItem('generated_image') === null).toBe(isGone)
  })
  it('is a selfie that is being made', async () => {
    localStorage.setItem('running_generation', 'one')
    sessionStorage.setItem('interrupted_upload', '1')
    answerRequests({ 'GET /api/generations/one': { success: true, generation: testSelfie } })
    expect(await resume()).toMatchSnapshot()
    expect([localStorage.getItem('running_generation'), sessionStorage.length]).toEqual([null, 0])
    expect(JSON.parse(localStorage.getItem('generated_image') ?? '')).toEqual({
      imageUrl: '/one.jpg',
      generationId: 'one',
      timestamp: nowMs,
    })
  })
  it('is an upload that was interrupted', async () => {
    sessionStorage.setItem('interrupted_upload', String(nowMs))
    answerRequests({ 'GET /api/generations': 500 })
    expect(await resume()).toEqual(['{"type":"fail","problem":{"kind":"interruption"}}'])
  })
  it('is a hold, which is given back', async () => {
    storeOpenHold(hold)
    answerRequests({ [release]: { success: true, released: true }, 'GET /api/generations': 500 })
    expect(await resume()).toEqual([])
    expect(happened).toEqual([`${release} {"holdId":"h1"} (keepalive)`, 'GET /api/generations'])
  })
})

it.each([
  ['no address', { ...testSelfie, imageUrl: null }, 'NO_REASON'],
  [
    'a reason',
    { ...testSelfie, state: 'failed' as const, error: 'Too dark.', code: 'photo_dark' },
    'photo_dark',
  ],
])('a finished selfie with %s is a failure', async (_with, finished, code) => {
  const problems: unknown[] = []
  const controller = { current: new AbortController() }
  const [before] = [controller.current]
  await follow(
    (action) => void (action.type === 'fail' && problems.push(action.problem)),
    controller,
    async () => ({ item: finished }),
  )
  expect(problems).toMatchObject([
    { kind: 'failure', failure: { code, fromServer: code !== 'NO_REASON' } },
  ])
  expect(problems, 'the server gives back what a failure cost').toMatchObject([
    { isCreditBack: code === 'photo_dark' },
  ])
  expect([before.signal.aborted, controller.current]).toEqual([true, null])
  expect(localStorage.length).toBe(0)
})

it('the work is in sight until its picture can be drawn, which no failure of that keeps back', async () => {
  for (const end of ['resolve', 'reject'] as const) {
    const { promise, ...ends } = Promise.withResolvers<void>()
    const decode = vi.spyOn(HTMLImageElement.prototype, 'decode').mockReturnValue(promise)
    const types: string[] = []
    const finished = { ...testSelfie, thumbnailUrl: '/small.jpg' }
    const followed = follow(
      ({ type }) => void types.push(type),
      { current: null },
      async () => ({ item: finished }),
    )
    await waitFor(() => expect(decode).toHaveBeenCalledOnce())
    expect(types).not.toContain('finish')
    ends[end]()
    await followed
    expect(types.at(-1)).toBe('finish')
    decode.mockRestore()
  }
})

it('the selfie that a refusal speaks of is shown', async () => {
  answerRequests({ 'GET /api/generations/one': { success: true, generation: testSelfie } })
  const actions: unknown[] = []
  localStorage.setItem('running_generation', 'gone')
  const refusal = new ApiError('You already made this selfie.', 409, 'already_made', true)
  refusal.generationId = 'one'
  await follow(
    (action) => void actions.push(action),
    { current: null },
    () => Promise.reject(refusal),
  )
  expect(actions).toMatchObject([{ type: 'fail' }, { type: 'show-item', item: testSelfie }])
  expect(localStorage.getItem('running_generation'), 'none is under way').toBeNull()
})

describe('a photo', () => {
  it('is checked as a person or as a place, and can be taken away and put back', async () => {
    cleanup()
    for (const [kind, form] of [
      ['person', 'photo=a.jpg'],
      ['background', 'photo=a.jpg&isBackground=true'],
    ] as const) {
      happened.length = 0
      const { result, unmount } = renderHook(() => usePhoto(null, kind))
      act(() => void result.current.choose(new File(['GIF89a'], 'a.jpg')))
      expect(result.current.photo).toEqual({ prepared: null, check: null, faceIndex: null })
      await settle()
      expect(happened).toEqual([`POST /api/ai?action=inspect ${form}`])
      expect(result.current.photo?.check).toEqual({ state: 'checking' })
      unmount()
      expect(happened.at(-1)).toBe('aborted POST /api/ai?action=inspect')
    }
  })
  const answered: ChosenPhoto = {
    ...photo,
    check: { state: 'answered', answer: { faces: [] } as never },
  }
  it('of before is put back as it was, or checked once more', async () => {
    const { result } = renderHook(() => usePhoto())
    act(() => result.current.restore(answered))
    expect([result.current.photo, happened]).toEqual([answered, []])
    act(() => result.current.toggleFace(5, 1))
    expect(result.current.photo?.faceIndex).toBe(5)
    act(() => result.current.clear())
    expect(result.current.photo).toBeNull()
    act(() => result.current.toggleFace(1, 2))
    act(() => result.current.toggleEverybody([1]))
    expect(result.current.photo).toBeNull()
    act(() => result.current.restore(photo))
    await settle()
    expect(happened).toEqual(['POST /api/ai?action=inspect photo=me.jpg'])
  })
  it('of an earlier visit is not being checked any more', () => {
    const at = (kept: ChosenPhoto | null) => renderHook(() => usePhoto(kept)).result.current.photo
    expect(at(answered)).toBe(answered)
    expect(at({ ...photo, prepared: null })).toBeNull()
    expect(at(null)).toBeNull()
    const failed = { ...photo, check: { state: 'failed', error: null } }
    expect(at({ ...photo, check: { state: 'checking' } })).toEqual(failed)
    expect(at({ ...photo, check: null })).toEqual(failed)
  })
  it.each<[string, 'person' | 'own', object[], number | null]>([
    ['the larger one', 'person', [{ height: 0.7 }, {}], 1],
    ['the larger one of one’s own photo too', 'own', [{ height: 0.4 }, {}], 1],
    ['nobody of one’s own photo where none is much larger', 'own', [{ height: 0.7 }, {}], null],
    ['another where the larger one cannot be', 'own', [{}, { height: 2, refusals: ['x'] }], 0],
    ['the first where none is larger', 'person', [{}, {}], 0],
    ['nobody by number where there is one', 'own', [{}], null],
  ])('of several means %s', async (_who, kind, faces, expected) => {
    const box = {
      x: 0,
      y: 0,
      width: 1,
      height: 1,
      isMain: false,
      refusals: [],
      reason: null,
      hints: [],
    }
    const answer = {
      success: true,
      usable: true,
      faces: faces.map((face) => ({ ...box, sharpness: 1, ...face })),
      refusals: [],
      hints: [],
      widthPx: 8,
      heightPx: 10,
    }
    answerRequests({ 'POST /api/ai?action=inspect': answer })
    const { result } = renderHook(() => usePhoto(null, kind))
    await act(() => result.current.choose(new File(['GIF89a'], 'a.jpg')))
    expect(result.current.photo).toMatchObject({
      check: { state: 'answered' },
      faceIndex: expected,
    })
  })
})

describe('the device’s own share sheet', () => {
  it('is there where it takes pictures', () => {
    const asked: unknown[] = []
    vi.stubGlobal('navigator', {})
    expect(canSharePictures()).toBe(false)
    for (const can of [true, false]) {
      vi.stubGlobal('navigator', {
        canShare: (data: ShareData) => (asked.push(data.files?.[0]?.type), can),
      })
      expect(canSharePictures()).toBe(can)
    }
    expect(asked).toEqual(['image/jpeg', 'image/jpeg'])
  })
  it.each([
    ['AbortError', false],
    ['NotAllowedError', true],
  ])('closed by %s is a failure: %s', async (name, isFailure) => {
    const share = vi.fn().mockRejectedValue(new DOMException('', name))
    vi.stubGlobal('navigator', { share })
    const outcome = await shareNatively(file, 'Text', '/link').then(
      () => false,
      () => true,
    )
    expect(outcome).toBe(isFailure)
    expect(share).toHaveBeenCalledWith({ files: [file], text: 'Text', url: '/link' })
  })
})

it('a selfie that the server’s clock dates later began now', async () => {
  const began: unknown[] = []
  const createdAt = new Date(nowMs + 60_000).toISOString()
  const controller = { current: null }
  void follow(
    (action) => void (action.type === 'progress' && began.push(action.running.startedAtMs)),
    controller,
    async () => ({ item: { ...item, createdAt } }),
  )
  await settle()
  expect(began).toEqual([nowMs])
})

it('a picture that comes after another one was begun does not take its place', async () => {
  const decoded = Promise.withResolvers<void>()
  const decode = vi.spyOn(HTMLImageElement.prototype, 'decode').mockReturnValue(decoded.promise)
  const types: string[] = []
  const controller: { current: AbortController | null } = { current: null }
  const followed = follow(
    ({ type }) => void types.push(type),
    controller,
    async () => ({ item: testSelfie }),
  )
  await waitFor(() => expect(decode).toHaveBeenCalledOnce())
  controller.current?.abort()
  decoded.resolve()
  await followed
  expect(types).not.toContain('finish')
})
