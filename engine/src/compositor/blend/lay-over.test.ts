import { describe, expect, it } from 'vitest'
import { paintRgb } from '../../testing/test-images.ts'
import { unchanged } from './blend.ts'
import type { CutOut } from './blend.ts'
import { layOver } from './lay-over.ts'

const [width, height] = [96, 64]

/** One colour within some columns, at a matte of `alpha`. */
function flatPerson(
  colour: [number, number, number],
  [from, to]: [number, number],
  alpha = 255,
): CutOut {
  const data = Uint8Array.from({ length: width * height }, (_, i) =>
    i % width >= from && i % width < to ? alpha : 0,
  )
  return {
    image: paintRgb(width, height, () => colour),
    alpha: { data, width, height },
    gain: unchanged,
    headSize: 16,
  }
}

const at = ({ image }: CutOut, x: number, y: number): number[] => [
  ...image.data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3),
]

describe('one person over another', () => {
  const far = flatPerson([200, 40, 40], [0, 60])
  const near = flatPerson([40, 40, 200], [48, 96])

  it('shows the nearer one whole, and the other where they are alone', () => {
    const both = layOver(far, near, 0, height)
    expect(at(both, 70, 30)).toEqual([40, 40, 200])
    expect(at(both, 4, 30)).toEqual([200, 40, 40])
    expect(both.alpha.data.every((value) => value === 255)).toBe(true)
  })

  it('lets the nearer one throw a soft shadow on the other', () => {
    const [away, beside] = [4, 46].map((x) => at(layOver(far, near, 0, height), x, 30)[0]!)
    expect(beside).toBeLessThan(away! - 15)
  })

  it('mixes colours and mattes at a half-transparent edge', () => {
    const both = layOver(
      flatPerson([0, 0, 0], [0, 96], 0),
      { ...near, alpha: { ...near.alpha, data: near.alpha.data.map((value) => value >> 1) } },
      0,
      height,
    )
    expect(at(both, 70, 30)).toEqual([40, 40, 200])
    expect(both.alpha.data[30 * width + 70]).toBe(127)
  })

  it('moves each into their own exposure', () => {
    const dark = { ...near, gain: [0.5, 0.5, 0.5] as const }
    expect(at(layOver(far, dark, 0, height), 70, 30)[2]).toBeLessThan(160)
    expect(at(layOver(far, dark, 0, height), 4, 30)).toEqual([200, 40, 40])
  })

  it('goes on with the nearer one’s head size, by which shadows are as soft', () => {
    expect(layOver({ ...far, headSize: 40 }, near, 0, 1).headSize).toBe(near.headSize)
  })

  it('paints the rows that it was asked for', () => {
    const both = layOver(far, near, 10, 20)
    expect(at(both, 70, 9)).toEqual([0, 0, 0])
    expect(at(both, 70, 10)).toEqual([40, 40, 200])
  })
})
