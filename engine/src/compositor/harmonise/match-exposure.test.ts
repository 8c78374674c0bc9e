import { describe, expect, it } from 'vitest'
import { paintRgb } from '../../testing/test-images.ts'
import { brighten, exposureGain } from './match-exposure.ts'

const lit = (median: number, brightest: number) => ({
  sideRatio: 0,
  overhead: 0,
  skin: { median, brightest, tint: { red: 30, blue: -32 } },
})

describe('the exposure of somebody beside another', () => {
  const star = lit(0.3, 0.6)

  it('stays where the photo is an ordinary one, however far both are apart', () => {
    expect(exposureGain(lit(0.035, 0.236), star)).toBe(1)
    expect(exposureGain(lit(0.6, 0.9), lit(0.035, 0.236))).toBe(1)
    expect(exposureGain(lit(0.95, 1), star)).toBe(1)
  })

  it('comes nearer out of the dark, by three stops at most', () => {
    expect(exposureGain(lit(0.05, 0.1), star)).toBeCloseTo(4)
    expect(exposureGain(lit(0.01, 0.03), star)).toBe(8)
    expect(exposureGain(lit(0.05, 0.1), lit(0.1, 0.2))).toBeCloseTo(2)
    expect(exposureGain(lit(0.05, 0.1), lit(0.02, 0.05))).toBe(1)
  })

  it('leaves black and white where they are, and nothing beyond', () => {
    const image = paintRgb(3, 1, (x) => [x * 127, 255, 0])
    brighten(image, 8)
    expect([...image.data]).toEqual([
      0,
      255,
      0,
      expect.toSatisfy((value) => value > 200),
      255,
      0,
      255,
      255,
      0,
    ])
  })
})
