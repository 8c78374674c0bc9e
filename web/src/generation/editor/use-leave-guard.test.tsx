import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { useLeaveGuard } from './use-editing.ts'

afterEach(() => {
  vi.restoreAllMocks()
  history.replaceState(null, '', '/')
})

const wouldAsk = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

it('has the browser ask before a changed picture is left, and the way back ask in the page', () => {
  const onBack = vi.fn()
  const pushed = vi.spyOn(history, 'pushState')
  const { rerender, unmount } = renderHook(({ isChanged }) => useLeaveGuard(isChanged, onBack), {
    initialProps: { isChanged: false },
  })
  expect(wouldAsk()).toBe(false)
  expect(pushed).not.toHaveBeenCalled()
  rerender({ isChanged: true })
  expect(wouldAsk()).toBe(true)
  act(() => void dispatchEvent(new PopStateEvent('popstate')))
  expect(onBack).toHaveBeenCalledOnce()
  expect(pushed, 'the next way back asks too').toHaveBeenCalledTimes(2)
  unmount()
  expect(wouldAsk()).toBe(false)
})

it('takes its entry of the history back once nothing is guarded, and none but its own', () => {
  const back = vi.spyOn(history, 'back').mockImplementation(() => {})
  const { rerender, unmount } = renderHook(({ isChanged }) => useLeaveGuard(isChanged, vi.fn()), {
    initialProps: { isChanged: true },
  })
  expect(back).not.toHaveBeenCalled()
  rerender({ isChanged: false })
  expect(back).toHaveBeenCalledOnce()
  rerender({ isChanged: true })
  history.replaceState({ of: 'another page' }, '')
  unmount()
  expect(back).toHaveBeenCalledOnce()
})
