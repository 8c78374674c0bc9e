import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { codedBitsCount, decodeMarkId, encodeMarkId } from './mark-code.ts'

const key = Buffer.from('a key of an operator')
const ids = ['0000000000000000', 'ffffffffffffffff', '0123456789abcdef', 'fedcba9876543210']

/** A repeatable standard normal sequence (Box and Muller). */
function gaussian(seed: number): () => number {
  let state = seed
  const uniform = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state + 1) / (2 ** 32 + 1)
  }
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}

describe('the mark’s code', () => {
  test.each(ids)('gives %s back', (id) => {
    expect(decodeMarkId(Float64Array.from(encodeMarkId(id, key)), key)).toBe(id)
  })

  test('mends noise of 80 % of the signal', () => {
    const noise = gaussian(7)
    for (const id of ids) {
      const soft = Float64Array.from(encodeMarkId(id, key), (bit) => bit + 0.8 * noise())
      expect(decodeMarkId(soft, key)).toBe(id)
    }
  })

  test('mends a third of the bits being lost', () => {
    const soft = Float64Array.from(encodeMarkId(ids[2]!, key), (bit, i) => (i % 3 === 0 ? 0 : bit))
    expect(decodeMarkId(soft, key)).toBe(ids[2])
  })

  test('reads nothing from noise, silence or another key’s mark', () => {
    const noise = gaussian(11)
    for (let i = 0; i < 200; i++) {
      expect(decodeMarkId(new Float64Array(codedBitsCount).map(noise), key)).toBeUndefined()
    }
    expect(decodeMarkId(new Float64Array(codedBitsCount), key)).toBeUndefined()
    const foreign = encodeMarkId(ids[2]!, randomBytes(16))
    expect(decodeMarkId(Float64Array.from(foreign), key)).toBeUndefined()
  })

  test('reads nothing from an id with the tag of another', () => {
    // Both end alike, so that the code goes on where the other begins.
    const [id, other] = ['0123456789abcdef', 'fedcba98765432ef'].map((one) =>
      encodeMarkId(one, key),
    )
    const bits = 64 * (codedBitsCount / 102)
    const forged = Float64Array.from([...id!.subarray(0, bits), ...other!.subarray(bits)])
    expect(decodeMarkId(forged, key)).toBeUndefined()
  })

  test.each(['', '0123', '0123456789ABCDEF', '0123456789abcdeg', ' 0123456789abcdef'])(
    'refuses %j as an id',
    (id) => {
      expect(() => encodeMarkId(id, key)).toThrow(TypeError)
    },
  )
})
