import type { GenerationItem } from '@starside/contract/generation.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LanguageProvider } from '../ui/language.tsx'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import { testSelfie } from './testing/test-selfie.ts'
import { useVariations } from './variation-strip.tsx'

const changed: GenerationItem = { ...testSelfie, imageUrl: '/changed.jpg' }
const answer = { success: true, generation: changed }
const version = (variationId: string, isChosen: boolean) =>
  ({ variationId, isChosen }) as GenerationItem['variations'][number]
const selfie: GenerationItem = {
  ...testSelfie,
  variations: [version('v1', true), version('v2', false)],
}
const hosted = (variationId: string): GenerationItem['variations'][number] => ({
  variationId,
  source: 'made',
  arrangement: null,
  look: 'natural',
  isChosen: variationId === 'v1',
  isRendered: true,
  imageUrl: '/v.jpg',
  thumbnailUrl: '/v-small.jpg',
  downloadUrl: '/v.png',
  widthPx: 1024,
  heightPx: 1280,
})
const failed = 'No connection to the server. Please try again.'
let questions: HeldQuestion[]
let taken: GenerationItem[]
/** Shows the selfie as it has become. */
let change: (item: GenerationItem) => void

beforeEach(async () => {
  questions = holdQuestions()
  taken = []
})
afterEach(() => vi.unstubAllGlobals())

function open(shown = selfie) {
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <LanguageProvider initial="en">
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </LanguageProvider>
  )
  const onItem = (item: GenerationItem) => void taken.push(item)
  const host = renderHook((item) => useVariations(item, onItem), { wrapper, initialProps: shown })
  change = (item) => host.rerender(item)
  return host.result
}
const last = () => questions.at(-1)

it('a version on show is deleted once its neighbour stands there, and is shown again when it is brought back', async () => {
  const variations = open()
  act(() => void variations.current.remove())
  expect(last()?.body).toEqual({ variationId: 'v2' })
  await last()?.answer(answer)
  expect(last()?.address).toContain('/variations/v1')
  await last()?.answer(answer)
  expect(variations.current.deletedIds).toEqual(['v1'])
  act(() => void variations.current.restore())
  expect(last()?.address).toContain('/variations/v1/restore')
  await last()?.answer(answer)
  expect(variations.current).toMatchObject({ deletedIds: null, awaitedId: 'v1' })
  expect(last()?.body).toEqual({ variationId: 'v1' })
})

it('nothing is deleted while the version on show is still being made', async () => {
  const variations = open()
  act(() => void variations.current.choose('v2'))
  act(() => void variations.current.remove())
  await last()?.answer(answer)
  expect(questions.map(({ body }) => body)).toEqual([{ variationId: 'v2' }])
  expect(variations.current.deletedIds).toBeNull()
})

it('of versions that are deleted one after the other all are brought back', async () => {
  const variations = open()
  for (const [shownId, neighbourId] of [
    ['v1', 'v2'],
    ['v2', 'v3'],
  ] as const) {
    change({ ...selfie, variations: [version(shownId, true), version(neighbourId, false)] })
    act(() => void variations.current.remove())
    await last()?.answer(answer)
    await last()?.answer(answer)
  }
  expect(variations.current.deletedIds).toEqual(['v2', 'v1'])
  act(() => void variations.current.restore())
  await last()?.answer(answer)
  expect(last()?.address).toContain('/variations/v1/restore')
})

it('an undo that nothing answered can be pressed again', async () => {
  const variations = open()
  act(() => void variations.current.remove())
  await last()?.answer(answer)
  await last()?.answer(answer)
  act(() => void variations.current.restore())
  await last()?.fail()
  expect(variations.current).toMatchObject({ deletedIds: ['v1'], error: failed })
})

it('nothing is deleted where its neighbour did not come', async () => {
  const variations = open()
  act(() => void variations.current.remove())
  await last()?.fail()
  expect(questions).toHaveLength(1)
  expect(variations.current).toMatchObject({ deletedIds: null, error: failed })
})

it.each([
  ['none came', 1, 0],
  ['others did', 3, 2],
])('who asks for other versions is told when %s', async (_, count, othersCame) => {
  const variations = open({ ...selfie, variations: [version('v1', true)] })
  expect(variations.current.othersCame).toBeUndefined()
  act(() => void variations.current.askForOthers())
  expect(variations.current.othersCame, 'while they are made').toBeNull()
  const made = Array.from({ length: count }, (_one, index) => hosted(`v${index + 1}`))
  await last()?.answer({ success: true, generation: { ...selfie, variations: made } })
  change(taken[0]!)
  expect(variations.current).toMatchObject({ busy: false, error: null, othersCame })
  const saved = [...made, { ...version('v9', true), source: 'adjusted' as const }]
  change({ ...selfie, variations: saved })
  expect(variations.current.othersCame, 'with one more it is no news').toBeUndefined()
})

it('other versions that could not be made are awaited no more', async () => {
  const variations = open()
  act(() => void variations.current.askForOthers())
  await last()?.fail()
  expect(variations.current).toMatchObject({ error: failed, othersCame: undefined })
})

it('of versions that are pressed while the first is unanswered the last counts', async () => {
  const variations = open({
    ...selfie,
    variations: [...selfie.variations, version('v3', false), version('v4', false)],
  })
  for (const id of ['v2', 'v3', 'v4']) {
    act(() => void variations.current.choose(id))
    expect(variations.current.shownId, 'at once').toBe(id)
  }
  expect(questions).toHaveLength(1)
  await last()?.answer(answer)
  expect(last()?.body).toEqual({ variationId: 'v4' })
  await last()?.answer(answer)
  expect(questions).toHaveLength(2)
  expect(variations.current).toMatchObject({ busy: false, pendingId: null, shownId: 'v1' })
  expect(taken).toEqual([changed, changed])
})

it('a version is chosen while others are made', async () => {
  const variations = open()
  act(() => void variations.current.askForOthers())
  act(() => void variations.current.choose('v2'))
  expect(questions.map(({ method }) => method)).toEqual(['POST', 'PUT'])
})

it.each(['variation_unknown', 'variation_chosen', 'more_variations_made', 'layers_expired'])(
  'what another tab has changed (%s) is shown as it is now',
  async (code) => {
    const variations = open()
    act(() => void variations.current.choose('v2'))
    const sentence = 'This variation is gone.'
    await last()?.answer({ success: false, error: sentence, code }, 409)
    expect(last()?.address).toContain('/api/generations/one')
    await last()?.answer(answer)
    expect(taken).toEqual([changed])
    expect(variations.current).toMatchObject({ busy: false, pendingId: null, error: sentence })
  },
)

it('the last version gives its place to the one before it', async () => {
  const variations = open({ ...selfie, variations: [version('v1', false), version('v2', true)] })
  act(() => void variations.current.remove())
  expect(last()?.body).toEqual({ variationId: 'v1' })
})

it('a selfie whose parts are deleted can be adjusted no more, and has no further versions', async () => {
  const kept = { ...selfie, adjustableUntil: '2026-11-22T12:30:00Z', hasMoreVariations: true }
  const variations = open(kept)
  act(() => void variations.current.deleteLayers())
  expect(last()).toMatchObject({ method: 'DELETE', address: '/api/generations/one/layers' })
  await last()?.answer({ success: true })
  expect(taken).toEqual([{ ...kept, adjustableUntil: null, hasMoreVariations: false }])
})

it('the version after the one on show takes its place, and what is not deleted can’t be brought back', async () => {
  const variations = open({
    ...testSelfie,
    variations: [version('v1', false), version('v2', true), version('v3', false)],
  })
  act(() => void variations.current.remove())
  expect([last()?.body, variations.current.pendingId]).toEqual([{ variationId: 'v3' }, 'v3'])
  await last()?.answer(answer)
  expect(variations.current.pendingId).toBeNull()
  await last()?.fail()
  expect(variations.current).toMatchObject({ deletedIds: null, error: failed })
})
