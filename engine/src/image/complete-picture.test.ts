import { describe, expect, it } from 'vitest'
import { completePicture } from './complete-picture.ts'
import type { PartlyKnown } from './complete-picture.ts'
import { createNoise } from '../testing/test-images.ts'

type Colour = readonly [number, number, number]

/** A painted picture of 64×80 pixels with a round hole of one grey. */
function paintWithHole(
  colour: (x: number, y: number) => Colour,
  radius = 16,
): PartlyKnown & { whole: Float32Array } {
  const [width, height] = [64, 80]
  const whole = new Float32Array(width * height * 3)
  const rgb = new Float32Array(width * height * 3)
  const known = new Uint8Array(width * height)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      whole.set(colour(x, y), i * 3)
      known[i] = Math.hypot(x - 32, y - 40) < radius ? 0 : 1
      rgb.set(known[i] === 1 ? colour(x, y) : [128, 128, 128], i * 3)
    }
  }
  return { rgb, known, width, height, whole }
}

/** Mean difference from what was there, inside of the hole. */
function errorInHole({ rgb, known, whole }: PartlyKnown & { whole: Float32Array }): number {
  let sum = 0
  let count = 0
  for (let i = 0; i < rgb.length; i++) {
    if (known[Math.floor(i / 3)] === 1) continue
    sum += Math.abs(rgb[i]! - whole[i]!)
    count++
  }
  return sum / count
}

const curtain = (x: number): Colour => (Math.floor(x / 4) % 2 === 0 ? [180, 40, 40] : [90, 20, 20])

describe('completing a picture', () => {
  it('goes on with a pattern through the hole', () => {
    const picture = paintWithHole(curtain)
    expect(errorInHole(picture)).toBeGreaterThan(60)
    completePicture(picture)
    expect(errorInHole(picture)).toBeLessThan(12)
  })

  it('keeps the sky above and the ground below', () => {
    const noise = createNoise(5)
    const picture = paintWithHole((_, y) => {
      const grain = noise() * 12
      return y < 40 ? [120 + grain, 160 + grain, 220 + grain] : [60 + grain, 90 + grain, 40 + grain]
    })
    completePicture(picture)
    expect(errorInHole(picture)).toBeLessThan(15)
  })

  it('leaves no step at the rim where the light changes over the picture', () => {
    const picture = paintWithHole((x, y) => [40 + 2 * x, 60 + y, 90])
    completePicture(picture)
    const { rgb, known, width } = picture
    for (let i = 0; i < known.length - 1; i++) {
      if (known[i] === known[i + 1] || i % width === width - 1) continue
      expect(Math.abs(rgb[i * 3]! - rgb[i * 3 + 3]!)).toBeLessThan(10)
    }
  })

  it('leaves what is known as it is', () => {
    const picture = paintWithHole(curtain)
    completePicture(picture)
    for (let i = 0; i < picture.known.length; i++) {
      if (picture.known[i] === 1) expect(picture.rgb[i * 3]).toBe(picture.whole[i * 3])
    }
  })

  it('leaves the guess where hardly anything is known', () => {
    const picture = paintWithHole(curtain, 100)
    completePicture(picture)
    expect(picture.rgb.every((value) => value === 128)).toBe(true)
  })

  it('is the same at every run', () => {
    const [one, other] = [paintWithHole(curtain), paintWithHole(curtain)]
    completePicture(one)
    completePicture(other)
    expect(one.rgb).toEqual(other.rgb)
  })
})
