import { expect, test } from 'vitest'
import { difficultyOf, leadingZeroBits, proofMessage } from './proof-of-work.ts'

test.each([
  [[0xff], 0],
  [[0x80, 0], 0],
  [[0x7f], 1],
  [[1, 0xff], 7],
  [[0, 0x80], 8],
  [[0, 0, 0x10], 19],
  [[0, 0], 16],
])('the bytes %j begin with %i zero bits', (bytes, bits) => {
  expect(leadingZeroBits(Uint8Array.from(bytes))).toBe(bits)
})

test('a challenge begins with its difficulty, and a proof ends with its number', () => {
  expect(difficultyOf('18.1795790893514.random.signature')).toBe(18)
  expect(proofMessage('18.1795790893514.random.signature', 7)).toBe(
    '18.1795790893514.random.signature.7',
  )
})
