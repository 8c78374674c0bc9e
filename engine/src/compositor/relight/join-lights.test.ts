import { expect, test } from 'vitest'
import { headAt } from '../../testing/test-heads.ts'
import type { LightMeasure } from '../harmonise/measure-light.ts'
import { joinLights } from './join-lights.ts'
import type { LitMember } from './join-lights.ts'

const light: LightMeasure = {
  sclera: 0.5,
  scleraColour: [1, 1, 1],
  face: 0.2,
  skinColour: [1.4, 0.9, 0.7],
  sideRatio: 1,
  contrast: 1,
  saturation: 0.3,
  black: 0.01,
  behind: 0.2,
  overhead: 1,
}

function member(
  direction: number,
  changes: Partial<LightMeasure & { kept: number }> = {},
): LitMember {
  const { kept = 0.9, ...measured } = changes
  const coefficients = [-1, direction, 0, 0, 0, 0, 0, 0, 0]
  return {
    head: headAt(500, 500, 200),
    skin: 0.2,
    light: { ...light, ...measured },
    faceLight: { coefficients, residual: 0.3, kept, clipped: 0 },
  }
}

test('one person’s light is what was measured of them', () => {
  const alone = member(0.4)
  expect(joinLights([alone])).toEqual({ light: alone.light, faceLight: alone.faceLight })
})

test('people of one photo stand in the mean of what their faces tell', () => {
  const { light: joined, faceLight } = joinLights([
    member(0.6, { sideRatio: 1, sclera: undefined, scleraColour: undefined }),
    member(0.2, { sideRatio: 0 }),
  ])
  expect(faceLight.coefficients[1]).toBeCloseTo(0.4)
  expect(joined.sideRatio).toBeCloseTo(0.5)
  expect(joined.sclera).toBe(0.5)
})

test('a face that tells nothing sure says nothing', () => {
  const hidden = member(-0.9, { kept: 0.1 })
  expect(joinLights([hidden, member(0.2)]).faceLight.coefficients[1]).toBeCloseTo(0.2)
})

test('where no eye is seen, their whites stay unknown', () => {
  const blind = { sclera: undefined, scleraColour: undefined }
  const { light: joined } = joinLights([member(0, blind), member(0, blind)])
  expect([joined.sclera, joined.scleraColour]).toEqual([undefined, undefined])
})
