import { expect, test } from 'vitest'
import { createDiskWatch } from './disk-watch.ts'

const mebibyte = 1024 * 1024

test.for([
  [0, true],
  [31 * mebibyte, true],
  [32 * mebibyte - 1, true],
  [32 * mebibyte, false],
  [33 * mebibyte, false],
] as const)('with %i bytes free a disk is full: %s', async ([free, isFull]) => {
  expect(await createDiskWatch('', { readFree: async () => free }).isFull()).toBe(isFull)
})

test('a failed write is believed for fifteen seconds, and a folder that is not there for none', async () => {
  let nowMs = 0
  const readFree = async () => Promise.reject(new Error('no such folder'))
  const watch = createDiskWatch('', { readFree, nowMs: () => nowMs })
  expect(await watch.isFull()).toBe(false)
  watch.noteFull()
  nowMs = 14_999
  expect(await watch.isFull()).toBe(true)
  nowMs = 15_000
  expect(await watch.isFull()).toBe(false)
})
