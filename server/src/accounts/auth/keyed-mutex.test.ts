import { expect, test } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

/** Acts that begin and end when the test says so. */
function open() {
  const runAlone = createKeyedMutex()
  const begun: string[] = []
  const ends = new Map<string, { resolve(): void; reject(error: Error): void }>()
  const run = (key: string, name: string) =>
    runAlone(key, () => {
      begun.push(name)
      return new Promise<string>((resolve, reject) => {
        ends.set(name, { resolve: () => resolve(name), reject })
      })
    })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { run, begun, ends, settle }
}

test('acts of one key run one after the other, those of another beside them', async () => {
  const { run, begun, ends, settle } = open()
  const acts = [run('a', 'first'), run('a', 'second'), run('b', 'other')]
  await settle()
  expect(begun).toEqual(['first', 'other'])
  ends.get('first')?.resolve()
  await settle()
  expect(begun).toEqual(['first', 'other', 'second'])
  ends.get('second')?.resolve()
  ends.get('other')?.resolve()
  expect(await Promise.all(acts)).toEqual(['first', 'second', 'other'])
})

test('an act that fails keeps nobody waiting', async () => {
  const { run, begun, ends, settle } = open()
  const failing = run('a', 'first')
  const next = run('a', 'second')
  await settle()
  ends.get('first')?.reject(new Error('no'))
  await expect(failing).rejects.toThrow('no')
  await settle()
  ends.get('second')?.resolve()
  expect(await next).toBe('second')
  expect(begun).toEqual(['first', 'second'])
})

test('the third waits for the second, also when the first has just ended', async () => {
  const { run, begun, ends, settle } = open()
  const first = run('a', 'first')
  const second = run('a', 'second')
  await settle()
  ends.get('first')?.resolve()
  await first
  const third = run('a', 'third')
  await settle()
  expect(begun).toEqual(['first', 'second'])
  ends.get('second')?.resolve()
  await second
  await settle()
  ends.get('third')?.resolve()
  expect(await third).toBe('third')
})
