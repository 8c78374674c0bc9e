import { expect, test } from 'vitest'
import { testReading } from '../../testing/test-reading.ts'
import type { LightMeasure } from './measure-light.ts'
import { matchExposure } from './match-exposure.ts'

const day: LightMeasure = { ...testReading.light, face: 0.3, sclera: 0.5 }
const inStops = (user: LightMeasure, ...stars: LightMeasure[]): number[] =>
  matchExposure(user, stars).map(Math.log2)

test('people within two stops of each other keep their exposure', () => {
  expect(inStops(day, { ...day, face: 0.1, sclera: 0.16 })).toEqual([0, 0])
})

test('a star in the dark beside a user by day is brightened, and the user darkened less', () => {
  const [user, star] = inStops(day, { ...day, face: 0.03, sclera: 0.05 })
  expect(star).toBeGreaterThan(0.4)
  expect(star).toBeLessThanOrEqual(0.6)
  expect(user).toBeLessThan(0)
  expect(user).toBeGreaterThan(-star!)
})

test('a star in the sun beside a user at dusk is darkened, by little more than a stop', () => {
  const dusk = { ...day, face: 0.012, sclera: 0.02 }
  const [user, star] = inStops(dusk, day)
  expect(star).toBeGreaterThanOrEqual(-1.2)
  expect(star).toBeLessThan(-0.5)
  expect(user).toBeGreaterThan(0)
})

test('only the star who stands far apart is moved', () => {
  const [user, near, far] = inStops(day, day, { ...day, face: 0.01, sclera: 0.015 })
  expect(near).toBe(0)
  expect(far).toBeGreaterThan(0.3)
  expect(user).toBeLessThan(0)
})

test('a dark skin stays dark where the whites of the eyes are equally bright', () => {
  expect(inStops(day, { ...day, face: 0.03 })).toEqual([0, 0])
})

test('the dark of squinting eyes is taken for no white', () => {
  // Measured of a man who squints under clouds and a woman in the sun.
  const squinting = { ...day, sclera: 0.017, face: 0.178 }
  expect(inStops(squinting, { ...day, sclera: 0.24, face: 0.404 })).toEqual([0, 0])
})
