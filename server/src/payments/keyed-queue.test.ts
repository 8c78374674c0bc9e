import { expect, test } from 'vitest'
import { createKeyedQueue } from './keyed-queue.ts'

function open(concurrency: number) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const errors: unknown[] = []
  const queue = createKeyedQueue<string>({
    concurrency,
    nameOf: (key) => key,
    run: (key) => {
      begun.push(key)
      return new Promise((resolve, reject) => {
        ends.set(key, key === 'bad' ? () => reject(new Error('bad')) : resolve)
      })
    },
    onError: (error) => errors.push(error),
  })
  const end = async (key: string) => {
    ends.get(key)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { queue, begun, end, errors }
}

test('runs so many at once, the others as those end', async () => {
  const { queue, begun, end } = open(2)
  for (const key of ['a', 'b', 'c']) queue.add(key)
  expect(begun).toEqual(['a', 'b'])
  await end('a')
  expect(begun).toEqual(['a', 'b', 'c'])
})

test('runs a key that comes again once more after its run, however often it came', async () => {
  const { queue, begun, end } = open(2)
  for (const key of ['a', 'a', 'a', 'b']) queue.add(key)
  expect(begun).toEqual(['a', 'b'])
  await end('a')
  expect(begun).toEqual(['a', 'b', 'a'])
  await end('a')
  expect(begun).toEqual(['a', 'b', 'a'])
})

test('tells an error and goes on', async () => {
  const { queue, begun, end, errors } = open(1)
  queue.add('bad')
  queue.add('b')
  await end('bad')
  expect([errors.length, begun]).toEqual([1, ['bad', 'b']])
})

test('stops: waits for what runs and begins nothing more', async () => {
  const { queue, begun, end } = open(1)
  queue.add('a')
  queue.add('b')
  const stopped = queue.stop()
  await end('a')
  await stopped
  queue.add('c')
  expect(begun).toEqual(['a'])
})
