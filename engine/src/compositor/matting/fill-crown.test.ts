import { describe, expect, it } from 'vitest'
import { fillCrown } from './fill-crown.ts'
import { createBytePlane } from '../../image/raster.ts'
import type { BytePlane } from '../../image/raster.ts'
import { headAt } from '../../testing/test-heads.ts'

const asItIs = { a: 1, b: 0, tx: 0, ty: 0 }

/** Hair at both sides of a gap that is open towards the photo's upper border, above a face. */
function hairWithGap(): BytePlane {
  const alpha = createBytePlane(300, 300)
  for (let y = 0, i = 0; y < 300; y++) {
    for (let x = 0; x < 300; x++, i++) {
      const isGap = y < 30 && x > 120 && x < 170
      alpha.data[i] = Math.abs(x - 150) < 70 && !isGap ? 255 : 0
    }
  }
  return alpha
}

const at = (alpha: BytePlane, x: number, y: number): number => alpha.data[y * 300 + x]!

describe('a head that its photo cuts off', () => {
  // The forehead's upper end lies at row 35.
  const head = headAt(150, 125, 180)

  it('has no gap between the hair of both sides', () => {
    const alpha = hairWithGap()
    fillCrown(alpha, head, asItIs)
    expect(at(alpha, 145, 0)).toBe(255)
    expect(at(alpha, 165, 20)).toBe(255)
    expect(at(alpha, 75, 20)).toBe(0)
    expect(at(alpha, 225, 20)).toBe(0)
  })

  it('stays as it is where the photo goes on above it, or the head is turned', () => {
    const far = { a: 1, b: 0, tx: 0, ty: -200 }
    for (const [other, toAlpha] of [
      [headAt(150, 325, 180), far],
      [{ ...head, yaw: 0.8 }, asItIs],
    ] as const) {
      const alpha = hairWithGap()
      fillCrown(alpha, other, toAlpha)
      expect(alpha.data).toEqual(hairWithGap().data)
    }
  })

  it('is not filled where hair lies at one side only', () => {
    const alpha = hairWithGap()
    for (let y = 0; y < 30; y++) alpha.data.fill(0, y * 300 + 150, (y + 1) * 300)
    fillCrown(alpha, head, asItIs)
    expect(at(alpha, 145, 10)).toBe(0)
  })
})
