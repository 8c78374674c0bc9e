import { clamp } from '../../image/raster.ts'
import type { Plane, RgbImage } from '../../image/raster.ts'
import { samplePlane } from '../../image/sample-plane.ts'
import { linearOfSrgb, luminance } from '../../image/srgb.ts'
import type { SceneLight } from './scene-definition.ts'

/** The brightness that photos of places in daylight have, the mean of their stops as linear light. */
const usualBrightness = 0.17
/** How much of a place's darkness falls on the people; photos of dark places are taken brighter. */
const stopsShare = 0.42
const stopsRange = [-0.65, 0.12] as const

/** A place's light as it is read from a photo of it. */
export interface PhotoLight {
  light: SceneLight
  /** The side that is brighter: −1 left, 1 right. */
  side: -1 | 1
}

/**
 * Estimates the light of a place from a photo of it: how bright it is, and from which side its light
 * comes.
 * @param people matte of the people in the photo, 0…1, who don't count
 */
export function lightOfPhoto(image: RgbImage, people: Plane): PhotoLight {
  const { width, height, data } = image
  let weights = 0
  let stops = 0
  const sides = { left: 0, right: 0 }
  let across = 0
  const toPeople = { x: people.width / width, y: people.height / height }
  for (let y = 0, i = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      i = (y * width + x) * 3
      if (samplePlane(people, (x + 0.5) * toPeople.x, (y + 0.5) * toPeople.y) > 0.2) continue
      const light = luminance(
        linearOfSrgb[data[i]!]!,
        linearOfSrgb[data[i + 1]!]!,
        linearOfSrgb[data[i + 2]!]!,
      )
      stops += Math.log2(light + 0.004)
      weights += 1
      const place = (2 * (x + 0.5)) / width - 1
      if (place < 0) sides.left += light * -place
      else sides.right += light * place
      across += Math.abs(place)
    }
  }
  const brightness = 2 ** (stops / Math.max(1, weights))
  const difference = sides.right - sides.left
  const share = clamp((2 * difference) / (sides.left + sides.right + 0.01 * across + 1e-6), -1, 1)
  const exposure = clamp(stopsShare * Math.log2(brightness / usualBrightness), ...stopsRange)
  const aside = Math.abs(share)
  return {
    light: {
      stops: exposure,
      bottomStops: 0.2 - 0.7 * Math.min(0, exposure),
      softensSun: clamp(-exposure / 0.4, 0, 1),
      cast: 0.16,
      key: [0.15 + 0.6 * aside, 0.4, 0.6],
      keyStops: 0.35 + 0.55 * aside,
      rim: 0.55,
      farRadius: 0,
    },
    side: difference < 0 ? -1 : 1,
  }
}
