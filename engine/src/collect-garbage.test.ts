import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { createCollection } from './collect-garbage.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** An array that nobody has any more, but for who may look whether it is still there. */
function leaveMegabytes(count: number): WeakRef<Uint8Array> {
  return new WeakRef(new Uint8Array(count * 1_000_000))
}

test('what calls left is collected a moment later, once it is several megabytes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const collectSoon = createCollection()
  const collectLater = () => {
    collectSoon()
    vi.advanceTimersByTime(100)
  }
  collectLater()
  const left = leaveMegabytes(2)
  // Until the next turn of the event loop it counts as used.
  await setImmediate()
  collectLater()
  expect(left.deref()).toHaveLength(2_000_000)
  leaveMegabytes(6)
  await setImmediate()
  collectLater()
  expect(left.deref()).toBeUndefined()
})
