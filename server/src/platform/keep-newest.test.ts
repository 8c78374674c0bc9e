import { expect, test } from 'vitest'
import { keepNewest } from './keep-newest.ts'

/** Keeps this many values, and tells how often each was made. */
function open(valuesMax?: number) {
  const made: string[] = []
  const keep = keepNewest<Promise<string>>(valuesMax)
  const ask = (key: string) =>
    keep(key, async () => {
      made.push(key)
      return `value of ${key}`
    })
  return { ask, keep, made }
}

test('a value is made once, also for those who ask at the same time', async () => {
  const { ask, made } = open()
  expect(await Promise.all([ask('a'), ask('a')])).toEqual(['value of a', 'value of a'])
  expect(await ask('a')).toBe('value of a')
  expect(made).toEqual(['a'])
})

test('that which nobody asked for the longest makes room', async () => {
  const { ask, made } = open(2)
  for (const key of ['a', 'b', 'a', 'c', 'a']) await ask(key)
  expect(made).toEqual(['a', 'b', 'c'])
  await ask('b')
  expect(made).toEqual(['a', 'b', 'c', 'b'])
})

test('a value that is no promise is kept too, until another takes its place', () => {
  const keep = keepNewest<string>(1)
  const made: string[] = []
  const ask = (key: string) =>
    keep(key, () => {
      made.push(key)
      return `value of ${key}`
    })
  expect([ask('a'), ask('a'), ask('b'), ask('b'), ask('a')].at(-1)).toBe('value of a')
  expect(made).toEqual(['a', 'b', 'a'])
})

test('one that failed is made again', async () => {
  const { ask, keep, made } = open()
  const failing = () => Promise.reject(new Error('no'))
  await expect(keep('a', failing)).rejects.toThrow('no')
  expect(await ask('a')).toBe('value of a')
  expect(made).toEqual(['a'])
})
