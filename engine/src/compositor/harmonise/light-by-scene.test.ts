import { expect, test } from 'vitest'
import { mapTriple } from '../../image/map-triple.ts'
import { createBytePlane } from '../../image/raster.ts'
import type { BytePlane } from '../../image/raster.ts'
import { paintPlane, paintRgb } from '../../testing/test-images.ts'
import type { Frame } from '../shared-frames.ts'
import { lightByScene } from './light-by-scene.ts'
import type { SceneLighting } from './light-by-scene.ts'

const [width, height] = [256, 320]

/** A grey person in the middle of the picture, from x 80 to 176 and from y 64 down. */
function person(grey = 120): Frame {
  const alpha = createBytePlane(width, height)
  for (let y = 64; y < height; y++) alpha.data.fill(255, y * width + 80, y * width + 176)
  return { image: paintRgb(width, height, () => [grey, grey, grey]), alpha }
}

/** A red lamp at the right, darkness at the left. */
const surroundings = [
  paintPlane(16, 20, (x) => (x > 10 ? 2 : 0)),
  paintPlane(16, 20, () => 0),
  paintPlane(16, 20, () => 0),
] as const

function lit(
  more: Partial<SceneLighting> = {},
  grey?: number,
): (x: number, y: number, channel: number) => number {
  const frame = person(grey)
  const head = { size: 100, chinY: 150 }
  const rim = [1, 1, 1] as const
  lightByScene(frame, { head, bottomStops: 0, rim, surroundings, others: [], ...more })
  return (x, y, channel) => frame.image.data[(y * width + x) * 3 + channel]!
}

test('a lamp behind a person colours the rim that faces it, and no other', () => {
  const at = lit()
  expect(at(174, 200, 0)).toBeGreaterThan(138)
  expect(at(174, 200, 1)).toBe(120)
  expect(at(82, 200, 0)).toBe(120)
  expect(at(128, 220, 0)).toBeLessThan(123)
})

test('its light reaches far over a cheek, weaker than the rim, and not the other half', () => {
  const at = lit()
  expect(at(162, 200, 0)).toBeGreaterThan(124)
  expect(at(162, 200, 0)).toBeLessThan(at(174, 200, 0))
  expect(at(100, 200, 0)).toBe(120)
})

test('a dim place colours a rim as well, and a lamp brighter than white no more than a wall', () => {
  const rimUnder = (light: number): number =>
    lit({ surroundings: mapTriple([light, 0, 0], (value) => paintPlane(16, 20, () => value)) })(
      174,
      200,
      0,
    )
  expect(rimUnder(0.1)).toBeGreaterThan(130)
  expect(rimUnder(8) - rimUnder(1)).toBeLessThan(10)
})

test('dark hair shines in it, and the black between strands stays black', () => {
  const ofHair = lit({}, 40)(174, 200, 0)
  expect(ofHair).toBeGreaterThan(60)
  expect(lit({}, 0)(174, 200, 0)).toBe(0)
})

test('nothing of it reaches a rim behind which somebody else stands', () => {
  const other: BytePlane = createBytePlane(width, height)
  for (let y = 0; y < height; y++) other.data.fill(255, y * width + 150, (y + 1) * width)
  expect(lit({ others: [other] })(174, 200, 0)).toBe(120)
})

test('light falls off below the chin, smoothly down to the lower edge', () => {
  const at = lit({ bottomStops: 1, rim: [0, 0, 0] })
  expect(at(128, 100, 1)).toBe(120)
  expect(at(128, 235, 1)).toBeLessThan(115)
  expect(at(128, 318, 1)).toBeLessThan(92)
  expect(at(128, 318, 1)).toBeGreaterThan(82)
})
