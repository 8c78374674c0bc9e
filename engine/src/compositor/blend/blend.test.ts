import { describe, expect, it } from 'vitest'
import { createRgb } from '../../image/raster.ts'
import type { RgbImage } from '../../image/raster.ts'
import { blendRows, unchanged } from './blend.ts'
import type { BlendOptions, CutOut } from './blend.ts'
import { paintRgb } from '../../testing/test-images.ts'

const side = 160

function person(colour: [number, number, number], from: number, to: number): CutOut {
  return {
    image: paintRgb(side, side, () => colour),
    alpha: {
      data: Uint8Array.from({ length: side * side }, (_, i) =>
        i % side >= from && i % side < to ? 255 : 0,
      ),
      width: side,
      height: side,
    },
    gain: unchanged,
    headSize: 40,
  }
}

function blend(options: BlendOptions): RgbImage {
  const picture = createRgb(side, side)
  blendRows(options, picture, 0, side)
  return picture
}

const wall = (value: number) => ({
  data: new Float32Array(40 * 40 * 4).fill(value),
  width: 40,
  height: 40,
})

describe('blending', () => {
  const back = person([100, 100, 100], 60, 140)
  const front = person([180, 60, 60], 20, 90)
  const picture = blend({ background: wall(90), back, front })
  const at = (x: number, y: number): number[] => [
    ...picture.data.subarray((y * side + x) * 3, (y * side + x) * 3 + 3),
  ]

  it('shows the front person over the back one over the background', () => {
    const [red, green] = at(75, 80)
    expect(Math.abs(red! - 180)).toBeLessThan(6)
    expect(Math.abs(green! - 60)).toBeLessThan(6)
    expect(Math.abs(at(125, 80)[0]! - 100)).toBeLessThan(12)
    expect(Math.abs(at(4, 80)[0]! - 90)).toBeLessThan(16)
  })

  it('throws the front person’s shadow on the back one, stronger when nearer', () => {
    expect(at(92, 80)[0]).toBeLessThan(at(105, 80)[0]!)
    expect(at(105, 80)[0]).toBeLessThan(at(130, 80)[0]! + 1)
  })

  it('darkens the corners', () => {
    expect(at(1, 1)[0]).toBeLessThan(at(5, 80)[0]!)
  })
})
