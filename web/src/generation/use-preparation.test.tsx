import { renderHook } from '@testing-library/react'
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
      asked.push(`${address.replace(/.*action=/, '')} ${JSON.parse(body).stars[0].presetId}`)
      return Response.json({ success: true, isBegun: true })
    },
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('the choice that stands for half a second is prepared, once', async () => {
  const first = { initialProps: 'ada-vale' }
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
  const { unmount } = renderHook(() => usePreparation(choicesWith('ada-vale')))
  unmount()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked).toEqual([])
})

it('what is being prepared is given up for another choice, and when the page is left', async () => {
  const first = { initialProps: 'ada-vale' }
  const { rerender, unmount } = renderHook((id: string) => usePreparation(choicesWith(id)), first)
  await vi.advanceTimersByTimeAsync(500)
  rerender('bo-reed')
  await vi.advanceTimersByTimeAsync(500)
  const givenUp = () => signals.map((signal) => signal?.aborted)
  expect(givenUp()).toEqual([true, false])
  unmount()
  expect(givenUp()).toEqual([true, true])
})
