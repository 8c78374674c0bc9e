import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { followGeneration } from './follow-generation.ts'

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

beforeEach(() => {
  vi.useFakeTimers()
  hidden = false
  polls = 0
  state = 'running'
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
  // A proxy on the way lets no events through.
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.endsWith('/events')) return new Response('', { status: 502 })
    polls += 1
    return Response.json({ success: true, generation: { ...item, state } })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function show(visible: boolean): void {
  hidden = !visible
  document.dispatchEvent(new Event('visibilitychange'))
}

it('polls where events do not get through, but only while somebody looks', async () => {
  const finished = followGeneration('g1', vi.fn(), new AbortController().signal)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(polls).toBe(3)
  show(false)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(polls).toBe(3)
  state = 'done'
  show(true)
  expect(await finished).toMatchObject({ state: 'done' })
  expect(polls).toBe(4)
})

it('can be given up while hidden', async () => {
  const controller = new AbortController()
  hidden = true
  const gaveUp = expect(followGeneration('g1', vi.fn(), controller.signal)).rejects.toThrow(/Abort/)
  await vi.advanceTimersByTimeAsync(1_000)
  controller.abort()
  await gaveUp
  expect(polls).toBe(0)
})
