import { expect, test } from 'vitest'
import { sceneSeedOf } from './selfie-marks.ts'

test('a generation has one seed, and another has another', () => {
  const id = '0199f3a2-7c11-7a52-9d31-0a1b2c3d4e5f'
  expect(sceneSeedOf(id)).toBe(0x2c3d4e5f)
  expect(sceneSeedOf(id)).toBe(sceneSeedOf(id))
  expect(sceneSeedOf(id.replace(/5f$/, '60'))).not.toBe(sceneSeedOf(id))
})
