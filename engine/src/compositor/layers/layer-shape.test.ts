import { expect, test } from 'vitest'
import { createBytePlane } from '../../image/raster.ts'
import { layerShape } from './cut-layer.ts'

/** Somebody who fills a photo of 2048 × 2048 pixels but for its corners. */
function silhouette() {
  const mask = createBytePlane(256, 256)
  for (let y = 16; y < 256; y++) mask.data.fill(255, y * 256 + 8, y * 256 + 248)
  const nothing = { top: 0, hairLeft: 0, hairRight: 0, cuts: [], seams: [] }
  return { mask, maskScale: 8, photo: { width: 2048, height: 2048 }, ...nothing }
}

test('a layer has every pixel that the best picture shows, also of a large body', () => {
  const { place, width, height } = layerShape(silhouette(), 600, 0.69, 1)
  expect(place.scale).toBe(0.69)
  expect(width * height).toBeGreaterThan(1_800_000)
})

test('a layer is bounded where the body is far larger than the picture', () => {
  const { width, height } = layerShape(silhouette(), 300, 1, 1)
  expect(width * height).toBeLessThan(2_010_000)
  const { place } = layerShape(silhouette(), 300, 1, 2.25)
  expect(place.scale, 'a picture of twice the area shows more').toBe(1)
})
