import { expect, it } from 'vitest'
import type { Arrangement } from '../../arrangement.ts'
import { arrangementDistance } from './arrangement-distance.ts'

type Place = readonly [x: number, y: number]

const at = (...places: Place[]): Arrangement => ({
  aspect: '4:5',
  scene: 'own',
  frontToBack: [0, 1],
  blur: 0.5,
  warmth: 0,
  look: 'natural',
  caption: '',
  subjects: places.map(([x, y]) => ({ x, y, size: 0.3, turnDegrees: 0, mirrored: false })),
})

it('is large where people change sides, and small where they change heights', () => {
  const one = at([0.3, 0.5], [0.7, 0.52])
  expect(arrangementDistance(one, at([0.7, 0.5], [0.3, 0.52]))).toBeGreaterThan(0.85)
  expect(arrangementDistance(one, at([0.3, 0.52], [0.7, 0.5]))).toBeLessThan(0.1)
})
