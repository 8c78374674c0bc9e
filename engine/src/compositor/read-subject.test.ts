import { expect, test } from 'vitest'
import { headAt } from '../testing/test-heads.ts'
import { smallSideOf } from './read-subject.ts'

const photo = { width: 1920, height: 1280 }
const cellsOf = (size: number): number =>
  (size * smallSideOf(photo, [{ head: headAt(900, 500, size) }])) / photo.width

test('a head has forty cells of the small mattes or more, however far away', () => {
  for (const size of [80, 150]) expect(cellsOf(size)).toBeCloseTo(40)
  expect(smallSideOf(photo, [{ head: headAt(900, 500, 600) }])).toBe(320)
})

test('the smallest head of those who stay together counts', () => {
  const heads = [600, 150].map((size) => ({ head: headAt(900, 500, size) }))
  expect(smallSideOf(photo, heads)).toBeCloseTo(512)
})
