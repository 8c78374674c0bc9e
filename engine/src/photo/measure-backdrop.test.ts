import { expect, test } from 'vitest'
import { headAt } from '../testing/test-heads.ts'
import { measureBackdrop } from './measure-backdrop.ts'

/** A photo that is white above a row, and grey below and wherever the head is. */
function photoWithWhiteAbove(row: number) {
  const [width, height] = [400, 500]
  const data = new Uint8Array(width * height * 3).fill(120)
  data.fill(255, 0, row * width * 3)
  return { data, width, height }
}

test('tells how much around a head is white', () => {
  const head = headAt(200, 250, 150)
  expect(measureBackdrop(photoWithWhiteAbove(0), head)).toBe(0)
  expect(measureBackdrop(photoWithWhiteAbove(500), head)).toBe(1)
  const half = measureBackdrop(photoWithWhiteAbove(120), head)
  expect(half).toBeGreaterThan(0.2)
  expect(half).toBeLessThan(0.7)
})

test('a head that fills the photo has nothing around it', () => {
  expect(measureBackdrop(photoWithWhiteAbove(500), headAt(200, 250, 600))).toBe(0)
})
