import { expect, test } from 'vitest'
import { presentLayers } from '../present-generation.ts'

const now = new Date('2026-11-20T12:00:00Z')
const never = { adjustableUntil: null, hasMoreVariations: false }

test('a picture can be adjusted while its layers are kept, and more be made of it once', () => {
  const present = (expiresInMs: number, wereMoreMade = false) =>
    presentLayers({ layers: { expiresAt: now.getTime() + expiresInMs, wereMoreMade } }, now)
  expect(present(1)).toEqual({
    adjustableUntil: '2026-11-20T12:00:00.001Z',
    hasMoreVariations: true,
  })
  expect(present(1, true)).toMatchObject({ hasMoreVariations: false })
  expect(present(0)).toEqual(never)
  expect(presentLayers({ layers: null }, now)).toEqual(never)
})
