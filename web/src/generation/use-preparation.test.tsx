import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { usePreparation, type StudioChoices } from './gather-request.ts'
import { testChoices } from './testing/test-choices.ts'
import { testStar } from './testing/test-star.ts'

const answer = { success: true, usable: true, faces: [], refusals: [], hints: [] } as const
const checked = { ...answer, widthPx: 9, heightPx: 12, photoDigest: 'a'.repeat(43) }
const choicesWith = (id: string): StudioChoices => ({
  ...testChoices,
  mine: {
    prepared: null,
    check: { state: 'answered', answer: { ...checked, faces: [], refusals: [], hints: [] } },
    faceIndex: null,
  },
  star: { custom: null, presetId: id, preset: testStar({ id }) },
})

const client = new QueryClient()
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
)
const refusal = { code: 'people_too_far_apart', formats: ['16:9'] }

let asked: string[]
let signals: (AbortSignal | null | undefined)[]
beforeEach(() => {
  asked = []
  signals = []
  vi.useFakeTimers()
  vi.stubGlobal(
    'fetch',
    async (address: string, { body, signal }: RequestInit & { body: string }) => {
      signals.push(signal)
      const { presetId } = JSON.parse(body).stars[0]
      asked.push(`${address.replace(/.*action=/, '')} ${presetId}`)
      if (presetId.startsWith('slow')) return new Promise(() => {})
      const isFar = presetId === 'far-away'
      return Response.json({ success: true, isBegun: !isFar, ...(isFar ? { refusal } : {}) })
    },
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('the choice that stands for half a second is prepared, once', async () => {
  const first = { initialProps: 'ada-vale', wrapper }
  const { rerender } = renderHook((id: string) => usePreparation(choicesWith(id)), first)
  await vi.advanceTimersByTimeAsync(499)
  rerender('bo-reed')
  await vi.advanceTimersByTimeAsync(499)
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  rerender('bo-reed')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked).toEqual(['prepare bo-reed'])
})

it('a choice that is left is not prepared', async () => {
  const { unmount } = renderHook(() => usePreparation(choicesWith('ada-vale')), { wrapper })
  unmount()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked).toEqual([])
})

it('what is being prepared is given up for another choice, and when the page is left', async () => {
  const first = { initialProps: 'slow-ada', wrapper }
  const { rerender, unmount } = renderHook((id: string) => usePreparation(choicesWith(id)), first)
  await vi.advanceTimersByTimeAsync(500)
  rerender('slow-bo')
  await vi.advanceTimersByTimeAsync(500)
  const givenUp = () => signals.map((signal) => signal?.aborted)
  expect(givenUp()).toEqual([true, false])
  unmount()
  expect(givenUp()).toEqual([true, true])
})

it('why nobody can stand together so is known of just that choice', async () => {
  const first = { initialProps: 'far-away', wrapper }
  const { result, rerender } = renderHook((id: string) => usePreparation(choicesWith(id)), first)
  expect(result.current, 'before it is known').toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(600))
  expect(result.current).toEqual(refusal)
  rerender('ada-vale')
  expect(result.current).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(600))
  expect(result.current).toBeNull()
})

it('what is chosen again is asked for anew, and nothing is known of it meanwhile', async () => {
  const first = { initialProps: 'far-away', wrapper }
  const { result, rerender } = renderHook((id: string) => usePreparation(choicesWith(id)), first)
  await act(() => vi.advanceTimersByTimeAsync(600))
  rerender('ada-vale')
  await act(() => vi.advanceTimersByTimeAsync(600))
  rerender('far-away')
  expect(result.current).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(600))
  expect(result.current).toEqual(refusal)
  expect(asked).toEqual(['far-away', 'ada-vale', 'far-away'].map((id) => `prepare ${id}`))
})
