import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { wait } from './wait.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('leaves neither a timer nor a listener behind, however it ends', async () => {
  const leaving = new AbortController()
  const removed = vi.spyOn(leaving.signal, 'removeEventListener')
  const waited = wait(1_000, leaving.signal)
  await vi.advanceTimersByTimeAsync(1_000)
  await waited
  expect(removed).toHaveBeenCalledOnce()
  const left = wait(1_000, leaving.signal)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  expect(vi.getTimerCount()).toBe(0)
  await expect(wait(1_000, leaving.signal)).rejects.toThrow('left')
})
