import { describe, expect, it } from 'vitest'
import { drawnScenes } from '../background/drawn-scenes.ts'
import { grainTable } from '../../image/grain.ts'
import { measureTexture } from './measure-noise.ts'
import { planTexture } from './plan-texture.ts'
import { gainTable } from '../blend/blend-inputs.ts'
import { gainOfScene } from './under-scene.ts'
import { linearOfSrgb, luminance, srgbOfLinear } from '../../image/srgb.ts'
import { createNoise, paintPlane, paintRgb } from '../../testing/test-images.ts'

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

  it('takes the tint of a scene', () => {
    const lamps = [0.3, 0.2, 0.1].map((light) => paintPlane(4, 4, () => light))
    const night = gainOfScene(drawnScenes['city-night'].light, lamps as never)
    expect(luminance(...night)).toBeCloseTo(2 ** drawnScenes['city-night'].light.stops)
    expect(night[0]).toBeGreaterThan(night[2] * 1.1)
    expect(night[0]).toBeLessThan(night[2] * 1.4)
  })
})

describe('texture', () => {
  const face = { centre: { x: 100, y: 100 }, size: 180 }
  const noisy = (sigma: number): ReturnType<typeof measureTexture> => {
    const noise = createNoise(5)
    // The sum of four uniform numbers is nearly normal.
    const grit = (): number => (noise() + noise() + noise() + noise()) * 1.732 * sigma
    const image = paintRgb(200, 200, () => {
      const value = Math.round(128 + grit())
      return [value, value, value]
    })
    return measureTexture(image, face)
  }

  it('tells the standard deviation of noise', () => {
    expect(noisy(3).noise).toBeGreaterThan(2.4)
    expect(noisy(3).noise).toBeLessThan(3.6)
    expect(noisy(0).noise).toBeLessThan(0.5)
  })

  it('gives the cleaner person grain and the sharper one blur', () => {
    const { plans, base } = planTexture([
      { noise: 0.3, detail: 8 },
      { noise: 4, detail: 3 },
    ])
    const [user, star] = [plans[0]!, plans[1]!]
    expect(user.blurSigma).toBeGreaterThan(0.3)
    expect(star.blurSigma).toBe(0)
    expect(user.grain).toBeGreaterThan(star.grain)
    expect(base).toBeLessThanOrEqual(4.5)
  })

  it('has grain of standard deviation 1 and mean 0', () => {
    const mean = grainTable.reduce((sum, value) => sum + value, 0) / grainTable.length
    const squares = grainTable.reduce((sum, value) => sum + value * value, 0) / grainTable.length
    expect(mean).toBeCloseTo(0, 1)
    expect(Math.sqrt(squares)).toBeGreaterThan(0.9)
    expect(Math.sqrt(squares)).toBeLessThan(1.1)
  })
})
