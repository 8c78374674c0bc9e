import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { boxBlur } from './box-blur.ts'
import { buildKernels } from './build-kernels.ts'
import { halve } from './pyramid.ts'
import { shrinkToThird } from './shrink-to-third.ts'
import { createNoise, paintPlane, paintRgb } from '../testing/test-images.ts'

describe('the kernels', () => {
  it('are what their source says', async () => {
    const built = await buildKernels()
    expect(built.size).toBe(2)
    for (const [name, contents] of built) {
      expect(contents.equals(await readFile(new URL(name, import.meta.url)))).toBe(true)
    }
  })

  it('leave no pixel out at any width and height', () => {
    const noise = createNoise(5)
    const value = (): number => Math.floor((noise() + 0.5) * 256)
    for (const [width, height] of [
      [6, 6],
      [7, 9],
      [13, 70],
      [35, 31],
    ] as const) {
      const image = paintRgb(width, height, () => [value(), value(), value()])
      const mean = (x: number, y: number, side: number, channel: number): number => {
        let sum = 0
        for (let i = 0; i < side * side; i++) {
          const at = (y * side + Math.floor(i / side)) * width + x * side + (i % side)
          sum += image.data[at * 3 + channel]!
        }
        return Math.floor(sum / (side * side) + 0.5)
      }
      for (const [side, small] of [
        [2, halve(image)],
        [3, shrinkToThird(image)],
      ] as const) {
        const wanted = Array.from(small.data, (_, i) => {
          const pixel = Math.floor(i / 3)
          return mean(pixel % small.width, Math.floor(pixel / small.width), side, i % 3)
        })
        expect([...small.data]).toEqual(wanted)
      }
    }
  })

  it('blur like the plain sum at every size and radius', () => {
    const noise = createNoise(8)
    for (const [width, height, radius] of [
      [1, 1, 3],
      [5, 2, 1],
      [3, 7, 9],
      [18, 11, 4],
    ] as const) {
      const plane = paintPlane(width, height, () => noise())
      const blurred = boxBlur(plane, radius)
      for (let y = 0, i = 0; y < height; y++) {
        for (let x = 0; x < width; x++, i++) {
          let sum = 0
          let count = 0
          for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++) {
            for (let u = Math.max(0, x - radius); u <= Math.min(width - 1, x + radius); u++) {
              sum += plane.data[v * width + u]!
              count++
            }
          }
          expect(blurred.data[i]).toBeCloseTo(sum / count, 5)
        }
      }
    }
  })
})
