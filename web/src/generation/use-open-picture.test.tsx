import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Router } from '../ui/router.tsx'
import { testSelfie } from './testing/test-selfie.ts'
import { useOpenPicture } from './gallery.tsx'

const items = ['one', 'two', 'three'].map((generationId) => ({ ...testSelfie, generationId }))

beforeEach(() => {
  history.replaceState(null, '', '/gallery?selfie=one')
})
afterEach(() => {
  history.replaceState(null, '', '/')
})

const wrapper = ({ children }: { children: ReactNode }) => <Router>{children}</Router>

test('every press counts, also one that comes before the page has followed the last', () => {
  const { result } = renderHook(() => useOpenPicture(), { wrapper })
  act(() => {
    result.current.turnBy(items, 1)
    result.current.turnBy(items, 1)
  })
  expect(result.current.openId).toBe('three')
  act(() => {
    for (const step of [1, -1, -1, -1] as const) result.current.turnBy(items, step)
  })
  expect(result.current.openId, 'it stops at both ends').toBe('one')
})

test('closing goes back by one page, however fast it is pressed again', () => {
  const { result } = renderHook(() => useOpenPicture(), { wrapper })
  act(() => result.current.open('two'))
  const back = vi.spyOn(history, 'back').mockImplementation(() => undefined)
  act(() => {
    result.current.close()
    result.current.close()
  })
  expect(back).toHaveBeenCalledOnce()
  back.mockRestore()
})

test('closing goes back also from a picture that was turned to', () => {
  const { result } = renderHook(() => useOpenPicture(), { wrapper })
  act(() => result.current.open('one'))
  act(() => result.current.turnBy(items, 1))
  const back = vi.spyOn(history, 'back').mockImplementation(() => undefined)
  act(() => result.current.close())
  expect(back).toHaveBeenCalledOnce()
  back.mockRestore()
})

test('turning replaces the address, and does nothing where no picture is open', () => {
  const { result } = renderHook(() => useOpenPicture(), { wrapper })
  const entries = history.length
  act(() => result.current.turnBy(items, 1))
  expect([location.search, history.length]).toEqual(['?selfie=two', entries])
  history.replaceState(null, '', '/gallery')
  act(() => result.current.turnBy(items, 1))
  expect(location.search).toBe('')
})

test('closing a picture that the address has opened leaves no way back to it', () => {
  const { result } = renderHook(() => useOpenPicture(), { wrapper })
  const entries = history.length
  act(() => result.current.close())
  expect([location.pathname + location.search, history.length]).toEqual(['/gallery', entries])
  const back = vi.spyOn(history, 'back').mockImplementation(() => undefined)
  act(() => result.current.close())
  expect([back.mock.calls.length, history.length], 'nothing is open any more').toEqual([0, entries])
  back.mockRestore()
})
