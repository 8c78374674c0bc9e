import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { findInterrupted, followGeneration } from './follow-generation.ts'

const item: GenerationItem = {
  generationId: 'g1',
  state: 'running',
  stage: 'blend',
  celebrity: 'Zuvia',
  celebrities: ['Zuvia'],
  presetId: 'zuvia',
  scene: 'own',
  imageUrl: null,
  downloadUrl: null,
  thumbnailUrl: null,
  widthPx: null,
  heightPx: null,
  watermarked: true,
  error: null,
  code: null,
  expectedMs: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  finishedAt: null,
  shareUrl: null,
  variations: [],
  adjustableUntil: null,
  hasMoreVariations: false,
}
let hidden = false
let polls = 0
let state = 'running'
/** Whether the next poll gets no answer. */
let fails = false

beforeEach(() => {
  vi.useFakeTimers()
  hidden = false
  polls = 0
  state = 'running'
  fails = false
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
  // A proxy on the way lets no events through.
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.endsWith('/events')) return new Response('', { status: 502 })
    polls += 1
    if (fails) throw new TypeError('Failed to fetch')
    return Response.json({ success: true, generation: { ...item, state } })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(document, 'hidden')
})

it('polls where events do not get through, but only while somebody looks', async () => {
  const finished = followGeneration('g1', vi.fn(), new AbortController().signal)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(polls).toBe(3)
  hidden = true
  await vi.advanceTimersByTimeAsync(60_000)
  expect(polls).toBe(3)
  state = 'done'
  hidden = false
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await finished).toMatchObject({ state: 'done' })
  expect(polls).toBe(4)
})

it('takes the end from the events, however they are cut, and lets go of the answer', async () => {
  const cancelled = vi.fn()
  const event = { state: 'done', stage: 'done', generation: { ...item, state: 'done' } }
  const sent = new TextEncoder().encode(`: ping\n\ndata: ${JSON.stringify(event)}\n\n`)
  const pieces = [sent.slice(0, 20), sent.slice(20)]
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(pieces.shift() ?? sent),
    cancel: cancelled,
  })
  vi.stubGlobal('fetch', async () => new Response(body))
  const onProgress = vi.fn()
  const finished = await followGeneration('g1', onProgress, new AbortController().signal)
  expect(finished).toEqual(event.generation)
  expect(onProgress).toHaveBeenCalledExactlyOnceWith(event)
  await expect.poll(() => cancelled.mock.calls.length).toBe(1)
  expect(polls).toBe(0)
})

it('polls once the events have been silent for 45 s, and not while comments come', async () => {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>()
  const writer = writable.getWriter()
  const events = new Response(readable)
  const polled = fetch
  vi.stubGlobal('fetch', async (address: string) =>
    address.endsWith('/events') ? events : polled(address),
  )
  state = 'done'
  const finished = followGeneration('g1', vi.fn(), new AbortController().signal)
  for (let n = 0; n < 4; n++) {
    await vi.advanceTimersByTimeAsync(30_000)
    await writer.write(new TextEncoder().encode(': still here\n\n'))
  }
  await vi.advanceTimersByTimeAsync(44_000)
  expect(polls).toBe(0)
  await vi.advanceTimersByTimeAsync(1_001)
  expect(await finished).toMatchObject({ state: 'done' })
  expect(vi.getTimerCount()).toBe(0)
})

it('can be given up while hidden', async () => {
  const controller = new AbortController()
  hidden = true
  const gaveUp = expect(followGeneration('g1', vi.fn(), controller.signal)).rejects.toThrow(/abort/)
  await vi.advanceTimersByTimeAsync(1_000)
  controller.abort()
  await gaveUp
  expect(polls).toBe(0)
})

it('gives up after failures in a row only, however many there are in all', async () => {
  const finished = followGeneration('g1', vi.fn(), new AbortController().signal)
  for (let round = 0; round < 3; round++) {
    fails = true
    await vi.advanceTimersByTimeAsync(13 * 2_000)
    fails = false
    await vi.advanceTimersByTimeAsync(2_000)
  }
  state = 'done'
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await finished).toMatchObject({ state: 'done' })
})

it('is over after fifteen failures in a row', async () => {
  fails = true
  const lost = expect(
    followGeneration('g1', vi.fn(), new AbortController().signal),
  ).rejects.toThrow()
  await vi.advanceTimersByTimeAsync(60_000)
  await lost
  expect(polls).toBe(15)
})

it.each([
  ['running', '2026-11-21T09:00:00.000Z', 'g1'],
  ['done', '2026-11-21T10:00:00.000Z', 'g1'],
  ['done', '2026-11-21T09:59:59.999Z', undefined],
  ['failed', '2026-11-21T10:00:00.000Z', undefined],
])(
  'an upload that broke off at ten has become a selfie that is %s since %s: %s',
  async (is, createdAt, id) => {
    const items = [{ ...item, state: is, createdAt }]
    vi.stubGlobal('fetch', async () =>
      Response.json({ success: true, items, nextCursor: null, total: 1, stars: [] }),
    )
    const { signal } = new AbortController()
    const found = await findInterrupted(Date.parse('2026-11-21T10:00:00.000Z'), signal)
    expect(found?.generationId).toBe(id)
  },
)

it.each([
  ['refuses it', 404, 1],
  ['is down for a while', 503, 15],
])(
  'where the server %s, it is over after as many questions: %i, %i',
  async (_how, status, count) => {
    vi.stubGlobal('fetch', async (address: string) => {
      if (!address.endsWith('/events')) polls += 1
      return Response.json({ success: false, error: 'No.', code: 'none' }, { status })
    })
    const { signal } = new AbortController()
    const lost = expect(followGeneration('g1', vi.fn(), signal)).rejects.toThrow('No.')
    await vi.advanceTimersByTimeAsync(60_000)
    await lost
    expect(polls).toBe(count)
  },
)

it('is given up at once, also between two questions', async () => {
  const controller = new AbortController()
  let hasEnded = false
  followGeneration('g1', vi.fn(), controller.signal).catch(() => {
    hasEnded = true
  })
  await vi.advanceTimersByTimeAsync(1_000)
  controller.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect([hasEnded, polls]).toEqual([true, 1])
})

/** Answers events by such a stream, and everything else by the item; notes what gave the request up. */
function stream(events: object[]): (AbortSignal | null | undefined)[] {
  const signals: (AbortSignal | null | undefined)[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    signals.push(init.signal)
    if (!address.endsWith('/events')) {
      polls += 1
      return Response.json({ success: true, generation: { ...item, state } })
    }
    expect(new Headers(init.headers).get('accept')).toBe('text/event-stream')
    return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
  })
  return signals
}

it.each(['done', 'failed'])(
  'events tell how far it is, and that it is %s, without a question',
  async (end) => {
    const controller = new AbortController()
    const finished = { ...item, state: end }
    const signals = stream([
      { state: 'running', stage: 'faces', stagePercent: 40, generation: item },
      { state: end, stage: 'blend', generation: finished },
    ])
    const onProgress = vi.fn()
    expect(await followGeneration('g1', onProgress, controller.signal)).toEqual(finished)
    expect(onProgress.mock.calls[0]?.[0]).toMatchObject({ stage: 'faces', stagePercent: 40 })
    expect(polls).toBe(0)
    controller.abort()
    expect(signals.map((signal) => signal?.aborted)).toEqual([true])
  },
)

it('events that end early are followed by questions, which tell how far it is and can be given up', async () => {
  const controller = new AbortController()
  const signals = stream([{ state: 'running', stage: 'faces' }])
  const onProgress = vi.fn()
  const finished = followGeneration('g1', onProgress, controller.signal)
  await vi.advanceTimersByTimeAsync(0)
  expect(onProgress.mock.calls.map(([news]) => news.stage)).toEqual(['faces', 'blend'])
  state = 'done'
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await finished).toMatchObject({ state: 'done' })
  controller.abort()
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, true])
})

it('what was given up before asks nothing', async () => {
  hidden = true
  stream([])
  await expect(followGeneration('g1', vi.fn(), AbortSignal.abort())).rejects.toThrow(/abort/i)
  expect(polls).toBe(0)
})
