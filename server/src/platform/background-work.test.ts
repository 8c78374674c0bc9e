import { expect, test } from 'vitest'
import { createBackgroundWork } from './background-work.ts'

test('work goes on behind the caller, and is waited for in the end', async () => {
  const background = createBackgroundWork(() => {})
  const { promise, resolve } = Promise.withResolvers<void>()
  let isSettled = false
  background.run(() => promise)
  const settled = background.settled().then(() => (isSettled = true))
  await new Promise((next) => setImmediate(next))
  expect([isSettled, background.count()]).toEqual([false, 1])
  resolve()
  await settled
})

test('what fails is passed on, and ends nothing else', async () => {
  const errors: unknown[] = []
  const background = createBackgroundWork((error) => errors.push(error))
  let isDone = false
  background.run(() => Promise.reject(new Error('no mail')))
  background.run(async () => void (isDone = true))
  await background.settled()
  expect([errors, isDone]).toEqual([[new Error('no mail')], true])
  expect(background.count()).toBe(0)
})
