import { expect, test } from 'vitest'
import type { LightMeasure } from './measure-light.ts'
import { joinLights } from './join-lights.ts'

const light: LightMeasure = {
  sclera: 0.5,
  face: 0.2,
  sideRatio: 1,
  overhead: 1,
}

test('one person’s light is what was measured of them', () => {
  expect(joinLights([light])).toBe(light)
})

test('people of one photo stand in the mean of what their faces tell', () => {
  const joined = joinLights([
    { ...light, sideRatio: 1, sclera: undefined },
    { ...light, sideRatio: 0 },
  ])
  expect(joined.sideRatio).toBeCloseTo(0.5)
  expect(joined.sclera).toBe(0.5)
})

test('where no eye is seen, their whites stay unknown', () => {
  const blind = { ...light, sclera: undefined }
  const joined = joinLights([blind, blind])
  expect(joined.sclera).toBeUndefined()
})
