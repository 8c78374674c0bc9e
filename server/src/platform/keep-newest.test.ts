import { expect, test } from 'vitest'
import { keepNewest } from './keep-newest.ts'

/** Keeps this many values, and tells how often each was made. */
function open(valuesMax?: number) {
  const made: string[] = []
  const keep = keepNewest<string>(valuesMax)
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

test('one that failed is made again', async () => {
  const { ask, keep, made } = open()
  const failing = () => Promise.reject(new Error('no'))
  await expect(keep('a', failing)).rejects.toThrow('no')
  expect(await ask('a')).toBe('value of a')
  expect(made).toEqual(['a'])
})
