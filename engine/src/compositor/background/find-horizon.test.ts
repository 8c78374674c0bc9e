import { describe, expect, test } from 'vitest'
import { createRgb } from '../../image/raster.ts'
import type { RgbImage } from '../../image/raster.ts'
import { findHorizon } from './find-horizon.ts'

function paint(colourAt: (x: number, y: number) => number): RgbImage {
  const image = createRgb(240, 180)
  for (let y = 0, i = 0; y < 180; y++) {
    for (let x = 0; x < 240; x++) {
      for (let c = 0; c < 3; c++, i++) image.data[i] = colourAt(x / 240, y / 180)
    }
  }
  return image
}

describe('the horizon of a photo', () => {
  test.for([0.3, 0.62])('lies between a bright sky and the sea at %d', (line) => {
    const sea = paint((_, y) => (y < line ? 210 : 60))
    expect(Math.abs(findHorizon(sea, []) - line)).toBeLessThan(0.06)
  })

  test.for([0.35, 0.6])('lies where the lines of a street meet at %d', (line) => {
    // Stripes that all lead to one point.
    const street = paint((x, y) => {
      const angle = Math.atan2(y - line, x - 0.55)
      return Math.sin(angle * 18) > 0 ? 190 : 70
    })
    expect(Math.abs(findHorizon(street, []) - line)).toBeLessThan(0.09)
  })

  test('lies at the eyes of people who stand far away', () => {
    const wall = paint(() => 120)
    const far = [
      { x: 0.3, y: 0.36 },
      { x: 0.7, y: 0.35 },
    ]
    expect(Math.abs(findHorizon(wall, far) - 0.36)).toBeLessThan(0.05)
  })

  test('is a level camera’s where nothing tells it', () => {
    expect(
      findHorizon(
        paint(() => 120),
        [],
      ),
    ).toBeCloseTo(0.46, 1)
  })
})
