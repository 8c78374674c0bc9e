import { expect, test } from 'vitest'
import { fillFace } from './fill-face.ts'
import { createBytePlane } from '../../image/raster.ts'
import type { BytePlane } from '../../image/raster.ts'
import { placeFace } from '../../testing/test-face.ts'

const { mesh, head } = placeFace({ x: 150, y: 150 }, 180)
const asItIs = { a: 1, b: 0, tx: 0, ty: 0 }

function matte(value: (x: number, y: number) => number): BytePlane {
  const alpha = createBytePlane(300, 300)
  for (let i = 0; i < 90_000; i++) alpha.data[i] = value(i % 300, Math.floor(i / 300))
  return alpha
}

const at = (alpha: BytePlane, x: number, y: number): number => alpha.data[y * 300 + x]!

test('a face that looks at the camera keeps no hole, and one that is turned away its own outline', () => {
  const shining = matte((x, y) => (Math.hypot(x - 150, y - 130) < 20 ? 10 : 255))
  fillFace(shining, { mesh, head }, asItIs)
  expect(at(shining, 150, 130)).toBe(255)
  const profile = matte((x) => (x < 140 ? 0 : 255))
  fillFace(profile, { mesh, head: { ...head, yaw: 0.8 } }, asItIs)
  expect(at(profile, 120, 150)).toBe(0)
})
