import { act, fireEvent, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useIdleReturn } from './kiosk-booth.tsx'

const onReturn = vi.fn<() => void>()
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  onReturn.mockReset()
})

const start = () => renderHook(() => useIdleReturn(onReturn))
const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms))

it('nobody touches it for forty seconds: it warns for the last ten, and returns once', () => {
  const { result } = start()
  pass(29_750)
  expect(result.current).toBeNull()
  pass(250)
  expect(result.current).toBe(10)
  pass(9_750)
  expect(result.current).toBe(1)
  expect(onReturn).not.toHaveBeenCalled()
  pass(250)
  expect(onReturn).toHaveBeenCalledTimes(1)
  pass(39_000)
  expect(onReturn).toHaveBeenCalledTimes(1)
})

it.each([
  ['a touch', () => fireEvent.pointerDown(document.body)],
  ['a key', () => fireEvent.keyDown(document.body, { key: 'Tab' })],
])('%s in the last second begins the forty anew', (_, stir) => {
  const { result } = start()
  pass(39_500)
  expect(result.current).toBe(1)
  act(() => void stir())
  expect(result.current).toBeNull()
  pass(39_000)
  expect(onReturn).not.toHaveBeenCalled()
  pass(1_500)
  expect(onReturn).toHaveBeenCalledTimes(1)
})
