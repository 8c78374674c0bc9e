import type { HeadMeasure } from '../compositor/faces/measure-head.ts'
import type { RgbImage } from '../image/raster.ts'

/** A channel from here on is blown. */
const blown = 250
/** From below the one ear over the head to below the other, in degrees clockwise from the right. */
const angles = { from: -200, to: 20, step: 2 }
/** From the head outwards, in head sizes from its middle. */
const distances = { from: 1.05, to: 1.6, step: 0.05 }

/** Share around the head (in pixels) and shoulders blown to white, 0…1; 0 where none is seen. */
export function measureBackdrop({ data, width, height }: RgbImage, head: HeadMeasure): number {
  let seen = 0
  let white = 0
  for (let degrees = angles.from; degrees <= angles.to; degrees += angles.step) {
    const angle = (degrees * Math.PI) / 180
    for (let far = distances.from; far < distances.to; far += distances.step) {
      const x = Math.round(head.centre.x + Math.cos(angle) * head.size * 0.95 * far)
      const y = Math.round(head.centre.y + Math.sin(angle) * head.size * far)
      if (x < 0 || y < 0 || x >= width || y >= height) continue
      const at = (y * width + x) * 3
      seen++
      if (Math.min(data[at]!, data[at + 1]!, data[at + 2]!) >= blown) white++
    }
  }
  return seen === 0 ? 0 : white / seen
}
