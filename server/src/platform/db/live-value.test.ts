import { expect, onTestFinished, test, vi } from 'vitest'
import { openLiveValue } from './live-value.ts'

/** A value whose readings after the first are answered by hand, in any order. */
async function open() {
  const listeners = new Map<string, () => void>()
  const readings: PromiseWithResolvers<string>[] = []
  const warn = vi.fn()
  const live = await openLiveValue(
    {
      notifications: {
        subscribe(topic, listener) {
          listeners.set(topic, listener)
          return () => void listeners.delete(topic)
        },
      },
      log: { warn },
    },
    {
      name: 'the word',
      topic: 'words',
      pollIntervalMs: 10_000,
      async read() {
        if (!isOpen) return 'first'
        const reading = Promise.withResolvers<string>()
        readings.push(reading)
        return reading.promise
      },
    },
  )
  isOpen = true
  onTestFinished(() => {
    isOpen = false
    live.close()
  })
  return { live, listeners, readings, warn }
}
let isOpen = false

test('an older answer that comes late does not replace a newer one', async () => {
  const { live, readings } = await open()
  const [older, newer] = [live.refresh(), live.refresh()]
  readings[1]?.resolve('third')
  await newer
  expect(live.current()).toBe('third')
  readings[0]?.resolve('second')
  await older
  expect(live.current()).toBe('third')
})

test('what can’t be read stays as it was, and is told of', async () => {
  const { live, listeners, readings, warn } = await open()
  listeners.get('words')?.()
  readings[0]?.reject(new Error('gone'))
  await expect.poll(() => warn).toHaveBeenCalledOnce()
  expect(live.current()).toBe('first')
})

test('a change of which nobody was told is known by asking', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { live, readings, listeners } = await open()
  vi.advanceTimersByTime(10_000)
  readings[0]?.resolve('second')
  await expect.poll(() => live.current()).toBe('second')
  live.close()
  vi.advanceTimersByTime(60_000)
  expect([readings.length, listeners.size]).toEqual([1, 0])
})
