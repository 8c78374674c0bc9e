import { describe, expect, it } from 'vitest'
import { drawnScenes } from '../background/drawn-scenes.ts'
import { grainTable } from '../../image/grain.ts'
import type { LightMeasure } from './measure-light.ts'
import { measureTexture } from './measure-noise.ts'
import { lightTable, planLight, unchangedLight } from './plan-light.ts'
import { planTexture } from './plan-texture.ts'
import { underScene } from './under-scene.ts'
import { linearOfSrgb, luminance, srgbOfLinear } from '../../image/srgb.ts'
import { createNoise, paintPlane, paintRgb } from '../../testing/test-images.ts'

/** The plans of one user and one star. */
function planPair(user: LightMeasure, star: LightMeasure) {
  const plan = planLight(user, [star])
  return { user: plan.user, star: plan.stars[0]! }
}

const daylight: LightMeasure = {
  sclera: 0.5,
  scleraColour: [1, 1, 1],
  face: 0.3,
  // Colours are over their brightness, so their luminance is 1.
  skinColour: [1.3, 0.937, 0.749],
  sideRatio: 0,
  contrast: 1.2,
  saturation: 0.4,
  black: 0.01,
  behind: 0.3,
  overhead: 1,
}

describe('sRGB', () => {
  it('comes back from linear light as it was', () => {
    for (const value of [0, 1, 10, 128, 254, 255]) {
      expect(srgbOfLinear(linearOfSrgb[value]!)).toBeCloseTo(value, 2)
    }
  })
})

describe('the light plan', () => {
  it('changes nothing between two people in the same light', () => {
    const { user, star } = planPair(daylight, daylight)
    for (const plan of [user, star]) {
      expect(plan.gain.every((gain) => Math.abs(gain - 1) < 0.002)).toBe(true)
      expect(plan.contrast).toBeCloseTo(1)
      expect(plan.ramp).toBeCloseTo(0)
    }
  })

  it('brightens a star from a dark place, by 0.6 stops at most', () => {
    const dark = { ...daylight, sclera: 0.05, face: 0.03 }
    const { user, star } = planPair(daylight, dark)
    expect(star.gain[1]).toBeGreaterThan(1.2)
    expect(star.gain[1]).toBeLessThanOrEqual(2 ** 0.6 * 1.002)
    expect(user.gain[1]).toBeLessThan(1)
    expect(user.gain[1]).toBeGreaterThanOrEqual(2 ** -0.25 * 0.998)
  })

  it('darkens a star for a dim place, by 1.2 stops at most, and leaves the user as the place is', () => {
    const dim = { ...daylight, sclera: 0.05, face: 0.03, behind: 0.02 }
    const { user, star } = planPair(dim, daylight)
    expect(star.gain[1]).toBeCloseTo(2 ** -1.2, 2)
    expect(user.gain[1]).toBeLessThanOrEqual(2 ** 0.25 * 1.002)
  })

  it('brightens a user before a bright sky, by half a stop at most, and darkens the star less', () => {
    const backlit = { ...daylight, sclera: 0.16, face: 0.1, behind: 0.8 }
    const indoors = { ...backlit, behind: 0.08 }
    const [sky, inside] = [planPair(backlit, daylight), planPair(indoors, daylight)]
    expect(sky.user.gain[1]).toBeGreaterThan(inside.user.gain[1] * 1.1)
    expect(sky.user.gain[1]).toBeLessThanOrEqual(2 ** 0.5 * 1.002)
    expect(sky.star.gain[1]).toBeGreaterThan(inside.star.gain[1])
  })

  it('leaves a dark skin dark where the whites of the eyes are equally bright', () => {
    const darkSkin = { ...daylight, face: 0.06 }
    const { star } = planPair(daylight, darkSkin)
    expect(Math.log2(star.gain[1])).toBeLessThan(0.6)
    expect(darkSkin.face * star.gain[1]).toBeLessThan(daylight.face / 2.5)
  })

  it('moves colour only part of the way', () => {
    const warm: LightMeasure = {
      ...daylight,
      scleraColour: [1.5, 0.912, 0.4],
      skinColour: [1.8, 0.828, 0.35],
    }
    const { star } = planPair(daylight, warm)
    expect(star.gain[2] / star.gain[0]).toBeGreaterThan(1)
    expect(star.gain[2] / star.gain[0]).toBeLessThanOrEqual(1.15 / 0.87 + 1e-9)
  })

  it('takes the dark of squinting eyes for no white', () => {
    // Measured of a man who squints under clouds and a woman in the sun.
    const squinting: LightMeasure = {
      ...daylight,
      sclera: 0.017,
      scleraColour: [1.735, 0.783, 0.987],
      face: 0.178,
      skinColour: [1.777, 0.807, 0.626],
    }
    const sunny: LightMeasure = {
      ...daylight,
      sclera: 0.24,
      scleraColour: [1.619, 0.853, 0.635],
      face: 0.404,
      skinColour: [1.816, 0.81, 0.479],
    }
    const { gain } = planPair(squinting, sunny).star
    expect(Math.log2(gain[1])).toBeGreaterThan(-0.7)
    expect(Math.log2(gain[1])).toBeLessThan(-0.2)
  })

  it('softens a user in hard sun beside a soft star, and leaves a soft user as they are', () => {
    const hard = { ...daylight, contrast: 2.4 }
    expect(planPair(hard, daylight).user.contrast).toBeCloseTo(0.5 ** 0.36)
    expect(planPair(daylight, hard).user.contrast).toBeLessThan(1.12)
    expect(planPair(daylight, hard).user.contrast).toBeCloseTo(2 ** 0.15)
  })

  it('leaves white cloth without a tint of purple or green', () => {
    for (const green of [0.8, 1.2]) {
      const odd: LightMeasure = { ...daylight, scleraColour: [1.1, green, 1.1] }
      const { gain } = planPair(odd, daylight).star
      expect(gain[1] / Math.sqrt(gain[0] * gain[2])).toBeGreaterThan(0.965)
      expect(gain[1] / Math.sqrt(gain[0] * gain[2])).toBeLessThan(1.035)
    }
  })

  it('softens a hard light more than it hardens a soft one, and keeps the colours either way', () => {
    const hard = { ...daylight, contrast: 2.4 }
    const [softened, hardened] = [planPair(daylight, hard), planPair(hard, daylight)]
    expect(softened.star.contrast).toBeCloseTo(0.74)
    expect(hardened.star.contrast).toBeCloseTo(1.12)
    const skin = [180, 140, 120] as const
    for (const { star } of [softened, hardened]) {
      const [red, green, blue] = skin.map(
        (value, c) => lightTable({ ...star, gain: [1, 1, 1] }, c as 0 | 1 | 2)[value]!,
      ) as [number, number, number]
      const colour = (star.saturation * (red - blue)) / green
      expect(colour).toBeGreaterThan(0.85 * (60 / 140))
      expect(colour).toBeLessThan(1.15 * (60 / 140))
    }
  })

  it('softens the shadows on skin, and leaves black hair black', () => {
    const soft = lightTable({ ...unchangedLight, pivot: 0.3, contrast: 0.75 }, 1)
    // Nearly two stops below the face, and five.
    expect(soft[78]!).toBeGreaterThan(90)
    expect(soft[22]!).toBeLessThan(26)
    expect(soft.every((value, at) => at === 0 || value > soft[at - 1]!)).toBe(true)
  })

  it('as a table keeps the order of all values and ends within the range', () => {
    const table = lightTable({ ...unchangedLight, gain: [1.5, 1.5, 1.5], contrast: 1.14 }, 0)
    for (let value = 1; value < 256; value++) {
      expect(table[value]).toBeGreaterThanOrEqual(table[value - 1]!)
    }
    expect(table[255]).toBeLessThanOrEqual(255)
    const same = lightTable(unchangedLight, 1)
    expect(Math.abs(same[120]! - 120)).toBeLessThan(0.5)
  })

  it('softens who stood in hard sun where a scene has none, bright parts most', () => {
    const lamps = [0.2, 0.2, 0.2].map((light) => paintPlane(4, 4, () => light))
    const soft = (scene: 'city-night' | 'sunny-street', overhead: number) =>
      underScene(unchangedLight, drawnScenes[scene].light, lamps as never, overhead)
    expect(soft('city-night', 5).contrast).toBeLessThan(soft('city-night', 0).contrast)
    expect(soft('sunny-street', 5)).toEqual(soft('sunny-street', 0))
    const [before, after] = [0, 5].map((overhead) => lightTable(soft('city-night', overhead), 1))
    // Of the same face the sunlit parts lose much, what is as dark as hair nearly nothing.
    expect(after![230]).toBeLessThan(before![230]! - 12)
    expect(Math.abs(after![20]! - before![20]!)).toBeLessThan(8)
    for (let value = 1; value < 256; value++) {
      expect(after![value]).toBeGreaterThanOrEqual(after![value - 1]!)
    }
  })

  it('takes the tint of a scene', () => {
    const lamps = [0.3, 0.2, 0.1].map((light) => paintPlane(4, 4, () => light))
    const night = underScene(unchangedLight, drawnScenes['city-night'].light, lamps as never, 0)
    expect(luminance(...night.gain)).toBeCloseTo(2 ** drawnScenes['city-night'].light.stops)
    expect(night.gain[0]).toBeGreaterThan(night.gain[2] * 1.1)
    expect(night.gain[0]).toBeLessThan(night.gain[2] * 1.4)
  })

  it('lays the stray light of a bright place over black, in its colour, and none at night', () => {
    const blackIn = (light: number): number[] => {
      const place = [light, light / 2, light / 4].map((each) => paintPlane(4, 4, () => each))
      const plan = underScene(unchangedLight, drawnScenes['beach-dusk'].light, place as never, 0)
      return [0, 1, 2].map((c) => lightTable(plan, c as 0 | 1 | 2)[0]!)
    }
    const dusk = blackIn(0.5)
    expect(dusk[0]).toBeGreaterThan(15)
    expect(dusk[0]).toBeLessThan(35)
    expect(dusk[2]).toBeLessThan(dusk[0]! * 0.7)
    expect(blackIn(0.01)[0]).toBeLessThan(2)
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
