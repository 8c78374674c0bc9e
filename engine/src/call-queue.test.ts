import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createCallQueue } from './call-queue.ts'
import { lazily } from './lazily.ts'
import { orAborted } from './or-aborted.ts'

test('so many tasks run at once as are allowed, the others in the order they came', async () => {
  const queue = createCallQueue(2)
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const begun: number[] = []
  const ended = gates.map(({ promise }, n) =>
    queue.run(async () => {
      begun.push(n)
      await promise
      return n
    }),
  )
  await setImmediate()
  expect(begun).toEqual([0, 1])
  gates[1]!.resolve()
  expect(await ended[1]).toBe(1)
  await setImmediate()
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of gates) resolve()
  expect(await Promise.all(ended)).toEqual([0, 1, 2, 3])
  expect(begun).toEqual([0, 1, 2, 3])
})

test('a task that fails leaves its place to the next, and what waits can be given up together', async () => {
  const queue = createCallQueue(1)
  const failing = queue.run(() => Promise.reject(new Error('failed')))
  const next = queue.run(() => Promise.resolve('next'))
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('next')
  const gate = Promise.withResolvers<void>()
  const running = queue.run(() => gate.promise)
  let isBegun = false
  const waiting = queue.run(async () => {
    isBegun = true
  })
  queue.rejectWaiting(new Error('closed'))
  await expect(waiting).rejects.toThrow('closed')
  gate.resolve()
  await running
  expect(await queue.run(() => Promise.resolve('later'))).toBe('later')
  expect(isBegun).toBe(false)
})

test('a signal ends waiting, with its reason, and keeps no listener of a task that was begun', async () => {
  const queue = createCallQueue(1)
  const counts = { added: 0, removed: 0 }
  const controller = new AbortController()
  const { signal } = controller
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...args: unknown[]) => {
    counts.added += 1
    Reflect.apply(addEventListener, signal, args)
  }
  signal.removeEventListener = (...args: unknown[]) => {
    counts.removed += 1
    Reflect.apply(removeEventListener, signal, args)
  }
  const gate = Promise.withResolvers<string>()
  const running = queue.run(() => gate.promise, signal)
  const waiting = queue.run(() => Promise.resolve('never'), signal)
  const behind = queue.run(() => Promise.resolve('behind'))
  controller.abort(new Error('changed my mind'))
  await expect(waiting).rejects.toThrow('changed my mind')
  gate.resolve('done')
  expect([await running, await behind]).toEqual(['done', 'behind'])
  expect(counts).toEqual({ added: 2, removed: 2 })
  await expect(queue.run(() => Promise.resolve('never'), signal)).rejects.toThrow('my mind')
})

test('work is left with the signal’s reason, at once where it had aborted before', async () => {
  const never = new Promise<string>(() => {})
  await expect(orAborted(never, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
  const controller = new AbortController()
  const leaving = orAborted(never, controller.signal)
  controller.abort(new Error('meanwhile'))
  await expect(leaving).rejects.toThrow('meanwhile')
  expect(await orAborted(Promise.resolve('done'), undefined)).toBe('done')
  expect(await orAborted(Promise.resolve('done'), new AbortController().signal)).toBe('done')
})

test('a thing is made at its first use, once, again after a failure, and closed where it was made', async () => {
  let made = 0
  let closed = 0
  const thing = lazily(async () => {
    made += 1
    if (made === 1) throw new Error('no memory')
    return { made, close: async () => void (closed += 1) }
  })
  expect(await thing.opened()).toBeUndefined()
  await thing.close()
  expect([made, closed]).toEqual([0, 0])
  const failing = thing.get()
  expect(await thing.opened()).toBeUndefined()
  await expect(failing).rejects.toThrow('no memory')
  const [one, other] = await Promise.all([thing.get(), thing.get()])
  expect([one.made, other, await thing.opened()]).toEqual([2, one, one])
  await thing.close()
  expect(closed).toBe(1)
})
