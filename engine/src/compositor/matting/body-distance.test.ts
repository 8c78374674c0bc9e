import { expect, it } from 'vitest'
import { placeFace } from '../../testing/test-face.ts'
import { bodyDistance } from './body-distance.ts'

it('beside a head, tells what lies between in head sizes', () => {
  const { head } = placeFace({ x: 200, y: 200 }, 100)
  const beside = (x: number) => bodyDistance(head, head.centre.x + x * head.size, head.centre.y)
  expect(beside(1.8) - beside(0.8)).toBeCloseTo(1, 1)
})
