import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call, newIdempotencyKey, send, ApiError, isAbort } from '../api/call.ts'
import { installTrustedTypesPolicy, whileAdmittingBlobs } from '../api/trusted-types.ts'
import { useIgnoredDrops } from '../app/dashboard-page.tsx'
import { show } from '../auth/testing/show.tsx'
import { BeforeAfter } from '../generation/picture-viewer.tsx'
import { askWorker } from './ask-worker.ts'
import { useCopying } from './use-copying.tsx'
import { Dialog, DialogTitle } from './dialog.tsx'
import { useSubmission } from './form.tsx'
import { exampleSrc, pairFolder, firstPair } from './example-list.ts'
import { exampleSrcSet } from './example-image.tsx'
import { joinStars, starName } from './join-stars.ts'
import { LanguageProvider, dateTimeText, useErrorSentence } from './language.tsx'
import { loadAgain } from './load-later.tsx'
import { LoadMoreButton } from './query-state.tsx'
import { loadCatalogue } from './messages/catalogues.ts'
import { saveBlob } from './save-blob.ts'
import { SkipLink } from './page-frame.tsx'
import { outline } from './testing/outline.ts'
import { answerRequests, happened, noted } from './testing/press-each.ts'
import { minutesText, useNow } from './use-elapsed.ts'
import { useFileDrop } from './use-file-drop.ts'
import { useNotice } from './use-notice.ts'

const nowMs = Date.parse('2026-11-22T12:00:00Z')
beforeEach(() => {
  happened.length = 0
  answerRequests()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
})

it.each([
  [-1, '0:00'],
  [0, '0:00'],
  [999, '0:00'],
  [1_000, '0:01'],
  [59_999, '0:59'],
  [60_000, '1:00'],
  [69_000, '1:09'],
  [3_600_000, '60:00'],
])('%d ms are %s minutes', (ms, text) => expect(minutesText(ms)).toBe(text))

it.each([
  ['en', '2026-11-22T12:05:00Z', 'Nov 22, 2026, 4:05 AM'],
  ['es', '2026-11-22T12:05:00Z', '22 nov 2026, 4:05'],
  ['zh', '2026-11-22T12:05:00Z', '2026年11月22日 04:05'],
  ['en', 'never', 'never'],
] as const)('in %s the time %s is %s', (language, time, text) =>
  expect(dateTimeText(time, language).replaceAll('\u202f', ' ')).toBe(text),
)

const joining = { customPhoto: 'Your star', ownStar: 'your star', twoStars: '{first} and {second}' }
it.each([
  [['Ada'], 'Ada'],
  [['Ada', 'Bo'], 'Ada and Bo'],
  [['Custom photo', 'Bo'], 'Bo and your star'],
  [['Custom photo'], 'your star'],
  [[], ''],
])('the stars %j are called %s', (names, text) => {
  expect(joinStars(names, joining)).toBe(text)
  expect([starName('Ada', joining), starName('Custom photo', joining)]).toEqual([
    'Ada',
    'Your star',
  ])
})

it('example pictures have their addresses by width', () => {
  expect(exampleSrc('cafe', 'backdrop')).toBe('/examples/cafe/backdrop-240.avif')
  expect(exampleSrcSet(pairFolder(firstPair), 'detail')).toBe(
    '/examples/face-1/henrik-solmark/detail-320.avif 320w, /examples/face-1/henrik-solmark/detail-640.avif 640w',
  )
})

it('the time goes on each second while it is wanted, and not longer', () => {
  vi.useFakeTimers({ now: nowMs })
  const { result, rerender, unmount } = renderHook(useNow, { initialProps: true })
  const after = (ms: number) => {
    act(() => void vi.advanceTimersByTime(ms))
    return result.current - nowMs
  }
  expect([result.current, after(999), after(1), after(1_000)]).toEqual([nowMs, 0, 1_000, 2_000])
  rerender(false)
  expect([after(5_000), vi.getTimerCount()]).toEqual([2_000, 0])
  rerender(true)
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})

it('a notice goes by itself, is renewed by the next one, and leaves no timer', () => {
  vi.useFakeTimers()
  const { result, unmount } = renderHook(() => useNotice(100))
  const say = (text: string | null) => act(() => result.current[1](text))
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
  say('one')
  pass(99)
  expect(result.current[0]).toBe('one')
  say('two')
  pass(99)
  expect(result.current[0]).toBe('two')
  pass(1)
  expect(result.current[0]).toBeNull()
  say('three')
  say(null)
  expect(result.current[0]).toBeNull()
  say('four')
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})

it('one submission at a time; a failure has its sentence, which the next one takes away', async () => {
  const work: PromiseWithResolvers<void>[] = []
  const outcomes: boolean[] = []
  function Form() {
    const { busy, error, setError, submit } = useSubmission('Failed.')
    const begin = () =>
      submit(() => {
        work.push(Promise.withResolvers())
        return work.at(-1)!.promise
      }).then((isDone) => outcomes.push(isDone))
    return (
      <>
        <button type="button" onClick={() => void begin()}>
          begin
        </button>
        <button type="button" onClick={() => setError(null)}>
          clear
        </button>
        <output>{`${busy} ${error}`}</output>
      </>
    )
  }
  await show(<Form />)
  const press = (name: string) => act(async () => void fireEvent.click(screen.getByText(name)))
  const said = () => screen.getByRole('status').textContent
  expect(said()).toBe('false null')
  await press('begin')
  await press('begin')
  expect([work.length, outcomes, said()]).toEqual([1, [false], 'true null'])
  await act(async () => work[0]?.reject(new Error('x')))
  expect([outcomes, said()]).toEqual([[false, false], 'false Failed.'])
  await press('begin')
  expect(said()).toBe('true null')
  await act(async () => work[1]?.resolve())
  expect([outcomes.at(-1), said()]).toEqual([true, 'false null'])
})

it('what failed is said in the language that is chosen later, too', async () => {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <LanguageProvider initial="en">{children}</LanguageProvider>
  )
  const initialProps = { fallback: 'Failed.' }
  const view = renderHook(({ fallback }) => useSubmission(fallback), { wrapper, initialProps })
  await act(async () => void view.result.current.submit(() => Promise.reject(new Error('x'))))
  expect(view.result.current.error).toBe('Failed.')
  view.rerender({ fallback: 'Ha fallado.' })
  expect(view.result.current.error).toBe('Ha fallado.')
  act(() => view.result.current.setError('Own.'))
  expect(view.result.current.error).toBe('Own.')
  act(() => view.result.current.setError(null))
  expect(view.result.current.error).toBeNull()
})

const failure = (status: number, code: string, fromServer: boolean) =>
  new ApiError('Said.', status, code, fromServer)
it.each([
  ['of anything else', new Error('x'), 'Otherwise.', 'Otherwise.'],
  ['of the server', failure(400, 'none', true), 'Said.', 'Said.'],
  ['of the server, known', failure(401, 'insufficient_credits', true), 'Said.', undefined],
  ['without a sentence', failure(502, 'HTTP_ERROR', false), 'HTTP error! status: 502', undefined],
  ['of a good answer', failure(399, 'HTTP_ERROR', false), 'Otherwise.', 'Otherwise.'],
  ['of the line', failure(0, 'NETWORK_ERROR', false), 'Otherwise.', 'Otherwise.'],
])('the sentence of a failure %s', async (_of, error, english, spanish) => {
  await Promise.all([loadCatalogue('errors', 'es'), loadCatalogue('shell', 'es')])
  function Sentence() {
    const sentenceOf = useErrorSentence()
    return <output>{sentenceOf(error, 'Otherwise.')}</output>
  }
  await show(<Sentence />)
  expect(screen.getByRole('status').textContent).toBe(english)
  const view = await act(async () =>
    render(
      <LanguageProvider initial="es">
        <Sentence />
      </LanguageProvider>,
    ),
  )
  const inSpanish = view.container.textContent
  if (spanish === undefined) expect(inSpanish).not.toMatch(/Said|Otherwise|error!/)
  else expect(inSpanish).toBe(spanish)
})

describe('a file that is dragged', () => {
  function Place({ takes }: { takes: boolean }) {
    const { isOver, handlers } = useFileDrop(takes ? noted('file') : undefined)
    return (
      <section aria-label="place" {...handlers}>
        {String(isOver)} <b>inside</b>
      </section>
    )
  }
  const dataTransfer = {
    types: ['Files'],
    files: [new File(['x'], 'a.jpg'), new File(['x'], 'b.jpg')],
  }
  it('is taken where it is dropped, and shown to be over', () => {
    render(<Place takes />)
    const place = screen.getByRole('region')
    const isOver = () => place.textContent?.startsWith('true')
    expect(fireEvent.dragOver(place, { dataTransfer: { types: ['text/plain'] } })).toBe(true)
    expect(isOver()).toBe(false)
    expect(fireEvent.dragOver(place, { dataTransfer })).toBe(false)
    expect(isOver()).toBe(true)
    const leave = (relatedTarget: Element | null): void => {
      const event = new MouseEvent('dragleave', { bubbles: true, relatedTarget })
      act(() => void place.dispatchEvent(event))
    }
    leave(screen.getByText('inside'))
    expect(isOver()).toBe(true)
    leave(document.body)
    expect(isOver()).toBe(false)
    fireEvent.dragOver(place, { dataTransfer })
    expect(fireEvent.drop(place, { dataTransfer })).toBe(false)
    expect([isOver(), happened]).toEqual([false, ['file(file a.jpg)']])
    expect(fireEvent.drop(place, { dataTransfer: { types: ['text/plain'], files: [] } })).toBe(true)
  })
  it('is not taken where none is wanted', () => {
    render(<Place takes={false} />)
    const place = screen.getByRole('region')
    expect(fireEvent.dragOver(place, { dataTransfer })).toBe(true)
    expect(fireEvent.drop(place, { dataTransfer })).toBe(true)
    expect(happened).toEqual([])
  })
  it('is kept from the browser beside those places, while the page is there', () => {
    const { unmount } = renderHook(useIgnoredDrops)
    const transfer = { types: ['Files'], dropEffect: 'copy' }
    const drop = (type: string, dragged: object | null) => {
      const event = new Event(type, { bubbles: true, cancelable: true })
      return document.body.dispatchEvent(Object.assign(event, { dataTransfer: dragged }))
    }
    expect([drop('dragover', transfer), drop('drop', transfer)]).toEqual([false, false])
    expect(transfer.dropEffect).toBe('none')
    expect([drop('drop', { types: ['text/plain'] }), drop('drop', null)]).toEqual([true, true])
    // A place that wants it has said so before it comes to the window.
    const wanted = { types: ['Files'], dropEffect: 'copy' }
    document.body.addEventListener('dragover', (event) => event.preventDefault(), { once: true })
    drop('dragover', wanted)
    expect(wanted.dropEffect).toBe('copy')
    unmount()
    expect([drop('dragover', transfer), drop('drop', transfer)]).toEqual([true, true])
  })
})

describe('a dialog', () => {
  const shown = (props: Partial<Parameters<typeof Dialog>[0]>) => {
    const { unmount } = render(
      <Dialog onClose={noted('close')} {...props}>
        <DialogTitle>Title</DialogTitle>
      </Dialog>,
    )
    return { dialog: screen.getByRole('dialog'), unmount }
  }
  it('is open as long as it is there, and is closed before it goes, so that the focus is given back', () => {
    const { dialog, unmount } = shown({})
    expect([dialog.hasAttribute('open'), dialog.textContent]).toEqual([true, 'Title'])
    unmount()
    expect(dialog.hasAttribute('open')).toBe(false)
  })
  it.each([
    [undefined, true],
    [true, true],
    [false, false],
  ])('with light dismissal %s is closed by a press beside it: %s', (lightDismiss, isClosed) => {
    const { dialog } = shown(lightDismiss === undefined ? {} : { lightDismiss })
    fireEvent.click(screen.getByText('Title'))
    expect(happened).toEqual([])
    fireEvent.click(dialog)
    expect(happened).toEqual(isClosed ? ['close()'] : [])
  })
  it.each([
    ['escape', { onEscape: noted('escape') }],
    ['close', {}],
  ])(
    'asks its owner at Escape and at the way back, by %s, and closes with what that shows',
    (asked, props) => {
      const { dialog } = shown(props)
      const cancel = (): boolean => fireEvent(dialog, new Event('cancel', { cancelable: true }))
      expect(fireEvent.keyDown(dialog, { key: 'a' })).toBe(true)
      expect(fireEvent.keyDown(dialog, { key: 'Escape' })).toBe(false)
      expect([cancel(), happened]).toEqual([false, [`${asked}()`, `${asked}()`]])
      expect(dialog.hasAttribute('open')).toBe(true)
    },
  )
  it('leaves Escape to a menu that is open in it', () => {
    const { dialog } = shown({})
    // The DOM of tests knows no popovers.
    const menu = vi.spyOn(dialog, 'querySelector').mockReturnValue(document.createElement('div'))
    const isLeft = fireEvent.keyDown(dialog, { key: 'Escape' })
    expect([isLeft, happened]).toEqual([true, []])
    menu.mockRestore()
    fireEvent.keyDown(dialog, { key: 'Escape' })
    expect(happened).toEqual(['close()'])
  })
})

it('two pictures lie over each other, with an edge that the slider moves', async () => {
  const pictures = { before: <b>old</b>, after: <b>new</b> }
  await show(<BeforeAfter {...pictures} isRight />)
  expect(outline()).toMatchSnapshot('where the own face is on the right')
  cleanup()
  await show(<BeforeAfter {...pictures} isRight={false} />)
  expect(outline()).toMatchSnapshot()
  const slider = screen.getByRole('slider')
  const edge = () => slider.parentElement?.style.getPropertyValue('--edge')
  expect(edge()).toBe('50%')
  fireEvent.change(slider, { target: { value: '70' } })
  expect(edge()).toBe('70%')
})

it('the first link leads past the header, where there is a main part', async () => {
  await show(
    <>
      <SkipLink />
      <main id="main">Main</main>
    </>,
  )
  const link = screen.getByRole('link')
  expect(fireEvent.click(link)).toBe(false)
  const main = screen.getByRole('main')
  expect([document.activeElement, main.tabIndex]).toEqual([main, -1])
})

it.each([
  [true, 'Loading...', []],
  [false, 'Show more', ['more()']],
])('more of a list, loading %s', async (isFetchingNextPage, text, calls) => {
  const query = { hasNextPage: true, isFetchingNextPage, fetchNextPage: noted('more') }
  await show(<LoadMoreButton className="" query={query} />)
  const button = screen.getByRole('button')
  expect([button.textContent, button.getAttribute('aria-disabled')]).toEqual([
    text,
    String(isFetchingNextPage),
  ])
  fireEvent.click(button)
  expect(happened).toEqual(calls)
})

it('a text is copied, or else shown to be copied by hand', async () => {
  function Copy() {
    const { copied, copy } = useCopying()
    return (
      <button type="button" onClick={() => void copy('words')}>
        {copied ?? 'Copy'}
      </button>
    )
  }
  await show(<Copy />)
  const press = () => act(async () => fireEvent.click(screen.getByRole('button', { name: /^Cop/ })))
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('no'))
  await press()
  expect(screen.getByText('words')).toBeDefined()
  write.mockResolvedValueOnce()
  await press()
  expect(write).toHaveBeenLastCalledWith('words')
  expect(screen.getByText('Copied!')).toBeDefined()
})

it('a blob is handed over as a file, and released a minute later', () => {
  vi.useFakeTimers()
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1')
  const release = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    happened.push(`${this.href} ${this.download} ${this.isConnected}`)
  })
  saveBlob(new Blob(), 'a.zip')
  expect([happened, document.querySelector('a')]).toEqual([['blob:1 a.zip true'], null])
  vi.advanceTimersByTime(59_999)
  expect(release).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(release).toHaveBeenCalledWith('blob:1')
})

describe('a part that does not load', () => {
  const failing = (times: number) => {
    let calls = 0
    return async () => {
      calls += 1
      happened.push(`try ${calls}`)
      if (calls <= times) throw new Error('lost')
      return 'part'
    }
  }
  it('is asked for again after one second and after four', async () => {
    vi.useFakeTimers()
    const part = loadAgain(failing(2))
    await vi.advanceTimersByTimeAsync(999)
    expect(happened).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(happened).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(3_999)
    expect(happened).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect([await part, happened.length]).toEqual(['part', 3])
  })
  it('fails after the third time', async () => {
    vi.useFakeTimers()
    const outcome = loadAgain(failing(3)).catch((error: unknown) => String(error))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await outcome).toBe('Error: lost')
  })
  it('is asked for once there is a connection, as a browser keeps how a module failed', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    vi.useFakeTimers()
    const part = loadAgain(failing(0))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(happened).toEqual([])
    dispatchEvent(new Event('online'))
    expect(await part).toBe('part')
  })
})

describe('a call', () => {
  it('has its method, address, token, language, key and body', async () => {
    const sent: [string, RequestInit][] = []
    vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
      sent.push([address, init])
      return Response.json({})
    })
    localStorage.setItem('auth_token', 'T')
    document.documentElement.lang = 'es'
    const { signal } = new AbortController()
    await send('DELETE /api/generations/:generationId/variations/:variationId', {
      params: { generationId: 'a/b', variationId: 'c' },
    })
    await send('GET /api/generations', { query: { cursor: 'x y', star: undefined }, signal })
    await send('POST /api/user?action=release-hold', {
      body: { holdId: 'h' },
      idempotencyKey: 'key',
      keepalive: true,
    })
    localStorage.clear()
    await send('GET /api/config')
    const told = sent.map(([address, { headers, signal: given, ...init }]) => ({
      address,
      ...init,
      headers: Object.fromEntries(headers as Headers),
      hasSignal: given === signal,
    }))
    expect(told).toMatchSnapshot()
    document.documentElement.lang = 'en'
  })
  it.each([
    [
      'is no JSON',
      new Response('x', { status: 200 }),
      'BAD_ANSWER',
      'The answer could not be read.',
    ],
    ['says no', Response.json({ success: false, error: 'No.', code: 'c' }), 'c', 'No.'],
    ['says no without a reason', Response.json({ success: false }), 'HTTP_ERROR', ''],
    ['is refused', Response.json({ error: 'No.', code: 'c' }, { status: 400 }), 'c', 'No.'],
    ['is an error', new Response('', { status: 503 }), 'HTTP_ERROR', 'HTTP error! status: 503'],
  ])('whose answer %s', async (_how, response, code, message) => {
    vi.stubGlobal('fetch', async () => response)
    const { status } = response
    const fromServer = message === 'No.'
    await expect(call('GET /api/config')).rejects.toMatchObject({
      code,
      message,
      status,
      fromServer,
    })
  })
  it.each([
    [new DOMException('', 'AbortError'), true],
    [new DOMException('', 'TimeoutError'), false],
    [new TypeError('Failed to fetch'), false],
  ])('that ends with %s was given up: %s', async (error, isGivenUp) => {
    vi.stubGlobal('fetch', () => Promise.reject(error))
    expect(isAbort(error)).toBe(isGivenUp)
    const failed = await send('GET /api/config').catch((reason: unknown) => reason)
    if (isGivenUp) expect(failed).toBe(error)
    else expect(failed).toMatchObject({ code: 'NETWORK_ERROR', status: 0, message: error.message })
  })
  it('has a key of 128 random bits', () => {
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
      ;(bytes as Uint8Array).forEach((_, n) => ((bytes as Uint8Array)[n] = n * 16 + 1))
      return bytes
    })
    expect(newIdempotencyKey()).toBe('01112131415161718191a1b1c1d1e1f1')
  })
})

it('scripts come from this page alone, and blobs while they are admitted', async () => {
  let rules: { createScriptURL: (address: string) => string } | undefined
  const factory = {
    defaultPolicy: null as unknown,
    createPolicy: (name: string, given: typeof rules) => {
      happened.push(name)
      rules = given
      factory.defaultPolicy = given
    },
  }
  vi.stubGlobal('trustedTypes', factory)
  installTrustedTypesPolicy()
  installTrustedTypesPolicy()
  expect(happened).toEqual(['default'])
  const admits = (address: string): boolean => {
    try {
      return rules?.createScriptURL(address) === address
    } catch {
      return false
    }
  }
  const blob = `blob:${location.origin}/1`
  const addresses = [
    '/assets/a.js',
    'https://evil.example/assets/a.js',
    '/service-worker.js?x',
    blob,
  ]
  expect(addresses.map(admits)).toEqual([true, false, false, false])
  expect(await whileAdmittingBlobs(async () => admits(blob))).toBe(true)
  expect(admits(blob)).toBe(false)
  await whileAdmittingBlobs(() => Promise.reject(new Error('x'))).catch(() => undefined)
  expect(admits(blob)).toBe(false)
})

it.each([
  ['answers', new MessageEvent('message', { data: 'done' }), 'done'],
  ['can’t be started', new Event('error'), 'The worker could not be started'],
])('a worker that %s is ended', async (_how, event, outcome) => {
  const terminate = vi.fn()
  class Worker extends EventTarget {
    terminate = terminate
    postMessage = () => queueMicrotask(() => this.dispatchEvent(event))
  }
  vi.stubGlobal('Worker', Worker)
  const told = await askWorker('/worker.js', 1).catch((error: Error) => error.message)
  expect(told).toBe(outcome)
  expect(terminate).toHaveBeenCalledOnce()
})
