import { expect, test } from 'vitest'
import { createSlots } from './slots.ts'

test('slots are bounded for a caller and for all, and come back once each', () => {
  const slots = createSlots({ perCaller: 2, perNode: 3 })
  const giveBack = slots.take('a')
  slots.take('a')
  expect(() => slots.take('a')).toThrow(expect.objectContaining({ code: 'too_many_requests' }))
  slots.take('b')
  expect(() => slots.take('c')).toThrow(expect.objectContaining({ code: 'unavailable' }))
  giveBack()
  giveBack()
  slots.take('a')
  expect(() => slots.take('c')).toThrow(expect.objectContaining({ code: 'unavailable' }))
})
