import { expect, it } from 'vitest'
import { positionPhoto } from './frame.tsx'

const faceAt = (x: number, y: number) => ({ x: x - 0.1, y: y - 0.1, width: 0.2, height: 0.2 })

it.each([
  ['in the middle of a square photo', faceAt(0.5, 0.5), 1, '50% 50%'],
  ['at the left edge of a square photo', faceAt(0.1, 0.5), 1, '0% 50%'],
  ['a little right of the middle of a wide photo', faceAt(0.6, 0.3), 16 / 9, '68% 50%'],
  ['at the top of a tall photo', faceAt(0.5, 0.2), 9 / 16, '50% 0%'],
  ['in the lower half of a tall photo', faceAt(0.5, 0.6), 9 / 16, '50% 84%'],
])('a face %s', (_, face, aspect, position) => {
  expect(positionPhoto(face, aspect, 4 / 5)).toBe(position)
})
