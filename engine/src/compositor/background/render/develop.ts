import { gaussianBlur } from '../../../image/box-blur.ts'
import type { ColourPlanes } from '../../../image/colour-planes.ts'
import { clamp, createPlane } from '../../../image/raster.ts'
import type { Plane } from '../../../image/raster.ts'
import { srgbOfLinear } from '../../../image/srgb.ts'
import type { SceneCamera } from './camera.ts'
import type { Layer } from './layer.ts'

/** How much light the lens scatters over the picture, and how far, in heights. */
const veil = 0.05
const veilReach = 0.09

/** The part of the canvas that is the picture, in linear light, with the lens's own stray light. */
export function cropRadiance(canvas: Layer, camera: SceneCamera): ColourPlanes {
  const { margin } = camera
  const width = canvas.width - 2 * margin
  const height = canvas.height - 2 * margin
  const channel = (c: number): Plane => {
    const plane = createPlane(width, height)
    for (let y = 0, i = 0; y < height; y++) {
      const row = (y + margin) * canvas.width + margin
      for (let x = 0; x < width; x++, i++) plane.data[i] = canvas.data[(row + x) * 4 + c]!
    }
    const scattered = gaussianBlur(plane, veilReach * height)
    for (let i = 0; i < plane.data.length; i++) {
      plane.data[i] = plane.data[i]! * (1 - veil) + scattered.data[i]! * veil
    }
    return plane
  }
  return [channel(0), channel(1), channel(2)]
}

/** Steps of the tone curve's table over the square root of light, and where it ends. */
const steps = 1024
const lightMax = 16

/**
 * A camera's tone curve, as sRGB 0…255 of linear light.
 * Source: Narkowicz, "ACES Filmic Tone Mapping Curve", 2016 (public domain).
 */
const toneCurve = Float32Array.from({ length: steps + 1 }, (_, i) => {
  const x = (i / steps) ** 2 * lightMax * 0.75
  return srgbOfLinear((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14))
})

/** What a camera makes of radiance: 0…255 sRGB. */
export function develop(radiance: ColourPlanes): ColourPlanes {
  const tone = ({ data, width, height }: Plane): Plane => ({
    data: data.map((light) => {
      const place = Math.sqrt(clamp(light / lightMax, 0, 1)) * steps
      const low = Math.min(steps - 1, place | 0)
      return toneCurve[low]! + (toneCurve[low + 1]! - toneCurve[low]!) * (place - low)
    }),
    width,
    height,
  })
  const [red, green, blue] = radiance
  return [tone(red), tone(green), tone(blue)]
}
