import { describe, expect, it } from 'vitest'
import { sceneDefinitions } from '../background/scene-definitions.ts'
import { grainTable } from '../../image/grain.ts'
import { gainTable } from '../blend/blend-inputs.ts'
import { gainOfPlace } from '../background/place-light.ts'
import { linearOfSrgb, luminance, srgbOfLinear } from '../../image/srgb.ts'

describe('sRGB', () => {
  it('comes back from linear light as it was', () => {
    for (const value of [0, 1, 10, 128, 254, 255]) {
      expect(srgbOfLinear(linearOfSrgb[value]!)).toBeCloseTo(value, 2)
    }
  })
})

describe('light', () => {
  it('as a table keeps the order of all values and ends within the range', () => {
    for (const gain of [0.4, 1, 1.5, 2.3]) {
      const table = gainTable(gain)
      for (let value = 1; value < 256; value++) {
        expect(table[value]).toBeGreaterThan(table[value - 1]!)
      }
      expect(table[255]).toBeLessThanOrEqual(255.01)
    }
    expect(gainTable(1)[120]).toBeCloseTo(120, 2)
  })

  it('takes exposure and tint of a scene', () => {
    const lamp = [0.3, 0.2, 0.1, 0].map(srgbOfLinear)
    const data = Float32Array.from({ length: 64 }, (_, i) => lamp[i % 4]!)
    const lamps = { data, width: 4, height: 4 }
    const night = gainOfPlace(sceneDefinitions['city-night'].light, lamps)
    expect(luminance(...night)).toBeCloseTo(2 ** sceneDefinitions['city-night'].light.stops)
    expect(night[0]).toBeGreaterThan(night[2] * 1.1)
    expect(night[0]).toBeLessThan(night[2] * 1.7)
  })
})

describe('grain', () => {
  it('has standard deviation 1 and mean 0', () => {
    const mean = grainTable.reduce((sum, value) => sum + value, 0) / grainTable.length
    const squares = grainTable.reduce((sum, value) => sum + value * value, 0) / grainTable.length
    expect(mean).toBeCloseTo(0, 1)
    expect(Math.sqrt(squares)).toBeGreaterThan(0.9)
    expect(Math.sqrt(squares)).toBeLessThan(1.1)
  })

  it('has no streaks, along rows or down columns', () => {
    for (const step of [1, 7919]) {
      const product = grainTable.reduce(
        (sum, value, at) => sum + value * grainTable[(at + step) % grainTable.length]!,
        0,
      )
      expect(Math.abs(product / grainTable.length)).toBeLessThan(0.02)
    }
  })
})
