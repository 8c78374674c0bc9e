import { expect, test } from 'vitest'
import { LayersError } from './compositor/layers/layers-error.ts'
import { EngineCrashedError } from './engine-crashed-error.ts'
import { fromFailure, toFailure } from './engine-messages.ts'
import { PhotoError } from './photo/photo-error.ts'
import { PictureError } from './photo/picture-error.ts'
import { releaseMemory } from './release-memory.ts'

test.each([
  new PhotoError('face_cut', 'star'),
  new PhotoError('photo_damaged'),
  new PictureError('faces_extra'),
  new LayersError('arrangement_unfit'),
])('%o means the same on the other side of a process', (error) => {
  const there = fromFailure(structuredClone(toFailure(error)))
  expect(there).toBeInstanceOf(error.constructor)
  expect(there.message).toBe(error.message)
  expect(Object.entries(there)).toEqual(Object.entries(error))
})

test('any other failure keeps its name, words and stack; what is no error becomes one', () => {
  const error = new RangeError('too long')
  const there = fromFailure(structuredClone(toFailure(error)))
  expect([there.name, there.message, there.stack]).toEqual(['RangeError', 'too long', error.stack])
  const words = fromFailure(toFailure('only words'))
  expect([words.name, words.message]).toEqual(['Error', 'only words'])
})

test('a lost process says why, and what it said last', () => {
  const bare = (['exit', 'start', 'time_limit', 'memory_limit', 'closed'] as const).map(
    (reason) => {
      const error = new EngineCrashedError(reason)
      return [error.reason, error.message]
    },
  )
  expect(bare).toEqual([
    ['exit', 'The engine’s process ended unexpectedly.'],
    ['start', 'The engine’s process could not be started.'],
    ['time_limit', 'A call overran its time limit, and the engine’s process was stopped.'],
    ['memory_limit', 'The engine’s process used too much memory and was stopped.'],
    ['closed', 'The engine was closed.'],
  ])
  expect(new EngineCrashedError('closed', 'Last words.').message).toBe(
    'The engine was closed. Last words.',
  )
})

test('the memory of large arrays is given back; small ones and parts of a buffer stay', () => {
  const [large, small] = [new Uint8Array(65_536), new Uint8Array(65_535)]
  const part = new Uint8Array(200_000).subarray(0, 100_000)
  const shared = new Uint8Array(new SharedArrayBuffer(100_000))
  releaseMemory(undefined, large, small, part, shared)
  const lengths = [large, small, part, shared].map(({ byteLength }) => byteLength)
  expect(lengths).toEqual([0, 65_535, 100_000, 100_000])
})
