import { expect, test } from 'vitest'
import { shrinkToThird } from '../../image/shrink-to-third.ts'
import type { Plane, RgbImage } from '../../image/raster.ts'
import { createNoise, paintPlane, paintRgb } from '../../testing/test-images.ts'
import { hairRegionSize, testHairRegion } from '../../testing/test-hair-region.ts'
import { dropHalo } from './drop-halo.ts'
import type { HairRegion } from './hair-colours.ts'

const size = hairRegionSize
const place = testHairRegion
const wall = [90, 110, 100] as const

/** How far a place of the small photo is from the middle of the head. */
const away = (x: number, y: number): number => Math.hypot(x - 120, y - 110)
/** What a network takes for the head: with a band of 12 pixels about the hair. */
const matte = (): Plane => paintPlane(size, size, (x, y) => (away(x, y) < 72 ? 1 : 0))

type Colour = readonly [number, number, number]

/** A photo of a head, at the large size. */
function photoOf(colourAt: (distance: number, strand: number) => Colour): RgbImage {
  const noise = createNoise(5)
  return paintRgb(size * 3, size * 3, (x, y) => colourAt(away(x / 3, y / 3), 16 * noise()))
}

function dropped(photo: RgbImage, region: HairRegion = place): Plane {
  const result = matte()
  dropHalo(photo, shrinkToThird(photo), result, region)
  return result
}

const textured = (strand: number): Colour => [110 + strand, 80 + strand, 50 + strand]
/** From the hair's mean colour to the wall's, without an edge. */
function soft(distance: number): Colour {
  const share = Math.min(1, Math.max(0, (distance - 66) / 10))
  return [130 - 40 * share, 105 + 5 * share, 75 + 25 * share]
}

test('a soft band about hair in focus is dropped, and the hair stays', () => {
  const found = dropped(photoOf((at, strand) => (at < 60 ? textured(strand) : soft(at))))
  expect(found.data[110 * size + 120 + 67]).toBeLessThan(0.1)
  expect(found.data[(110 - 67) * size + 120]).toBeLessThan(0.1)
  expect(found.data[110 * size + 120 + 55]).toBe(1)
})

test('it is kept down where shoulders begin, and where it is dark', () => {
  const region = { ...place, centre: { x: 120, y: 60 } }
  const found = dropped(
    photoOf((at, strand) => (at < 60 ? textured(strand) : soft(at))),
    region,
  )
  expect(found.data[(110 + 67) * size + 120]).toBe(1)
  const dark = photoOf((at, strand) => (at < 60 ? textured(strand) : [20, 18, 16]))
  expect(dropped(dark).data).toEqual(matte().data)
})

test('a smooth hat about textured hair stays, as its edge is in focus', () => {
  const hat = photoOf((at, strand) =>
    at < 60 ? textured(strand) : at < 71 ? [180, 170, 160] : wall,
  )
  expect(dropped(hat).data).toEqual(matte().data)
})

test('a bald head before a soft background stays', () => {
  const bald = photoOf((at) => soft(at - 4))
  expect(dropped(bald).data).toEqual(matte().data)
})
