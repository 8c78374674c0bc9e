import { describe, expect, test } from 'vitest'
import { photoWindow } from './photo-window.ts'

const noHoles = Array.from({ length: 24 }, () => 0)
const photo = { width: 1600, height: 1200, horizon: 0.5, holes: noHoles }
const picture = { width: 1024, height: 1280 }

describe('the part of a background photo that is seen', () => {
  test('fills the picture from within the photo, with the horizon where it is wanted', () => {
    const { x, y, width, height } = photoWindow(photo, picture, 0.4)
    expect(width / height).toBeCloseTo(1024 / 1280, 5)
    expect((600 - y) / height).toBeCloseTo(0.4, 5)
    expect(x + width / 2).toBeCloseTo(800, 0)
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y + height).toBeLessThanOrEqual(1200.001)
  })

  test('is never enlarged without bounds for a horizon at the edge', () => {
    const { y, height } = photoWindow({ ...photo, horizon: 0.9 }, picture, 0.3)
    expect(height).toBeGreaterThan(1200 / 1.71)
    expect(y + height).toBeCloseTo(1200, 3)
  })

  test('keeps away from where people were', () => {
    const holes = noHoles.map((_, n) => (n > 8 && n < 15 ? 0.8 : 0))
    const { x, width } = photoWindow({ ...photo, width: 3000, holes }, picture, 0.4)
    expect(Math.abs(x + width / 2 - 1500)).toBeGreaterThan(400)
  })
})
