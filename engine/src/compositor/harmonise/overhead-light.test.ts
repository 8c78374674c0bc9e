import { describe, expect, it } from 'vitest'
import { paintRgb } from '../../testing/test-images.ts'
import { overheadHard } from '../../photo/inspect-photo.ts'
import { measureOverhead } from './overhead-light.ts'

/** A face of 100 pixels' width with its cheeks in the middle and its lip below. */
const points = new Float32Array(468 * 3)
const place = (point: number, x: number, y: number): void => points.set([x, y, 0], point * 3)
place(234, 10, 60)
place(454, 110, 60)
for (const point of [50, 101]) place(point, 35, 60)
for (const point of [280, 330]) place(point, 85, 60)
place(164, 60, 90)
const mesh = { points, presence: 1 }

/** Cheeks of one brightness, 0…255, and the place of the lip of another. */
const faceWith = (cheeks: number, lip: number) =>
  paintRgb(120, 120, (_, y) => {
    const value = y > 80 ? lip : cheeks
    return [value, value, value]
  })

describe('light from above', () => {
  const even = { sclera: 0.4, face: 0.3 }
  const shaded = { sclera: 0.08, face: 0.3 }

  it('is read from eyes and a lip that lie in the shade of brows and nose', () => {
    const soft = measureOverhead(faceWith(180, 160), mesh, 1, even)
    const hard = measureOverhead(faceWith(180, 70), mesh, 1, shaded)
    expect(soft).toBeLessThan(2)
    expect(hard).toBeGreaterThan(overheadHard - 0.5)
  })

  it('is no matter of how dark a skin is', () => {
    const dark = measureOverhead(faceWith(60, 52), mesh, 1, { sclera: 0.3, face: 0.05 })
    expect(dark).toBeLessThan(2)
  })

  it('is read from the lip where the eyes can’t be seen', () => {
    const unseen = { sclera: undefined, face: 0.3 }
    const soft = measureOverhead(faceWith(180, 160), mesh, 1, unseen)
    const hard = measureOverhead(faceWith(180, 50), mesh, 1, unseen)
    expect(soft).toBeLessThan(2)
    expect(hard).toBeGreaterThan(soft + 1)
  })

  it('may be measured at another size of the photo, or of a face at its rim', () => {
    const half = paintRgb(60, 60, (_, y) => (y > 40 ? [70, 70, 70] : [180, 180, 180]))
    const whole = measureOverhead(faceWith(180, 70), mesh, 1, shaded)
    expect(measureOverhead(half, mesh, 0.5, shaded)).toBeCloseTo(whole)
    expect(
      measureOverhead(
        paintRgb(4, 4, () => [9, 9, 9]),
        mesh,
        1,
        even,
      ),
    ).toBe(0)
  })
})
