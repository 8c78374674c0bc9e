import { expect, test } from 'vitest'
import { buildPyramid } from '../../image/pyramid.ts'
import { headAt } from '../../testing/test-heads.ts'
import { paintRgb } from '../../testing/test-images.ts'
import { measureSharpness } from './measure-sharpness.ts'

/** A face of soft stripes, four to a head's tenth. */
const striped = (side: number) =>
  buildPyramid(
    paintRgb(side, side, (x, y) => {
      const grey = 128 + 60 * Math.sin((x / side) * 250) * Math.sin((y / side) * 250)
      return [grey, grey, grey]
    }),
  )
const sharpnessAt = (side: number): number =>
  measureSharpness(striped(side), headAt(side / 2, side / 2, side * 0.8))

test('a face is as sharp in a photo of many pixels as in one of few', () => {
  const [large, middle, small] = [1200, 600, 400].map(sharpnessAt)
  expect(large! / small!).toBeGreaterThan(0.8)
  expect(large! / small!).toBeLessThan(1.25)
  expect(middle! / small!).toBeGreaterThan(0.8)
  expect(middle! / small!).toBeLessThan(1.25)
})

test('a face without details has no sharpness', () => {
  const plain = buildPyramid(paintRgb(400, 400, () => [128, 128, 128]))
  expect(measureSharpness(plain, headAt(200, 200, 320))).toBeLessThan(0.01)
})
