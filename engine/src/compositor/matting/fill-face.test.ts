import { describe, expect, it } from 'vitest'
import { fillFace } from './fill-face.ts'
import { createBytePlane } from '../../image/raster.ts'
import type { BytePlane } from '../../image/raster.ts'
import { placeFace } from '../../testing/test-face.ts'
import { paintPlane } from '../../testing/test-images.ts'

const { mesh, head } = placeFace({ x: 150, y: 150 }, 180)
const asItIs = { a: 1, b: 0, tx: 0, ty: 0 }
const nobody = paintPlane(100, 100, () => 0)

function matte(value: (x: number, y: number) => number): BytePlane {
  const alpha = createBytePlane(300, 300)
  for (let i = 0; i < 90_000; i++) alpha.data[i] = value(i % 300, Math.floor(i / 300))
  return alpha
}

const at = (alpha: BytePlane, x: number, y: number): number => alpha.data[y * 300 + x]!

describe('a face', () => {
  it('keeps no hole that the matte encloses', () => {
    const alpha = matte((x, y) => (Math.hypot(x - 150, y - 130) < 20 ? 10 : 255))
    fillFace(alpha, nobody, { mesh, head }, asItIs)
    expect(at(alpha, 150, 130)).toBe(255)
  })

  it('stays open where the matte is open to the outside, as before the nose of a profile', () => {
    const alpha = matte((x) => (x < 140 ? 0 : 255))
    fillFace(alpha, nobody, { mesh, head }, asItIs)
    expect(at(alpha, 120, 150)).toBe(0)
    expect(at(alpha, 160, 150)).toBe(255)
  })

  it('is filled up to its rim where the network sees a person, unless it is turned away', () => {
    const somebody = paintPlane(100, 100, () => 0.3)
    const frontal = matte((x) => (x < 140 ? 0 : 255))
    fillFace(frontal, somebody, { mesh, head }, asItIs)
    expect(at(frontal, 120, 150)).toBe(255)
    const turned = matte((x) => (x < 140 ? 0 : 255))
    fillFace(turned, somebody, { mesh, head: { ...head, yaw: 0.8 } }, asItIs)
    expect(at(turned, 120, 150)).toBe(0)
  })
})
