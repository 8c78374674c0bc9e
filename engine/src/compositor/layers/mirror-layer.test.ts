import { expect, test } from 'vitest'
import { placeFace } from '../../testing/test-face.ts'
import { testReading } from '../../testing/test-reading.ts'
import { createFrame } from '../shared-frames.ts'
import type { SubjectLayer } from './layers.ts'
import { mirrorLayer } from './mirror-layer.ts'

/** Somebody left of the middle of a photo of 400 pixels, who is brighter on the right. */
function somebody(): SubjectLayer {
  const { head } = placeFace({ x: 150, y: 200 }, 160)
  return {
    frame: createFrame(100, 100),
    place: { left: 50, top: 100, scale: 0.5 },
    reading: {
      ...testReading,
      heads: [head],
      head,
      light: { ...testReading.light, sideRatio: 1 },
    },
  }
}

test('a mirrored person stands on the other side, looks the other way and is lit from there', () => {
  const { reading } = somebody()
  const mirrored = mirrorLayer(somebody())
  expect(mirrored.reading.head.centre.x).toBeCloseTo(400 - reading.head.centre.x)
  expect(mirrored.reading.head.yaw).toBeCloseTo(-reading.head.yaw)
  expect(mirrored.reading.head.roll).toBeCloseTo(-reading.head.roll)
  expect(mirrored.reading.light.sideRatio).toBe(-1)
  expect(mirrored.place.left).toBe(150)
})

test('a person who is mirrored twice is as before', () => {
  const { heads } = mirrorLayer(mirrorLayer(somebody())).reading
  expect(heads).toEqual(somebody().reading.heads)
})
