import photoLimits from './photo-limits.json' with { type: 'json' }
import type { HeadMeasure } from '../compositor/faces/measure-head.ts'
import type { RgbImage } from '../image/raster.ts'

/**
 * Where around a head is looked: from below the one ear over the head to below the other, in degrees clockwise from
 * the right; from the nearest to the farthest head sizes, narrower aside; and from which level on a channel is blown.
 */
const ring = photoLimits.backdrop
const degreesStep = 2
const distanceStep = 0.05

/** Share around the head (in pixels) and shoulders blown to white, 0…1; 0 where none is seen. */
export function measureBackdrop({ data, width, height }: RgbImage, head: HeadMeasure): number {
  let seen = 0
  let white = 0
  for (let degrees = ring.fromDegrees; degrees <= ring.toDegrees; degrees += degreesStep) {
    const angle = (degrees * Math.PI) / 180
    for (let far = ring.nearest; far < ring.farthest; far += distanceStep) {
      const x = Math.round(head.centre.x + Math.cos(angle) * head.size * ring.headWidth * far)
      const y = Math.round(head.centre.y + Math.sin(angle) * head.size * far)
      if (x < 0 || y < 0 || x >= width || y >= height) continue
      const at = (y * width + x) * 3
      seen++
      if (Math.min(data[at]!, data[at + 1]!, data[at + 2]!) >= ring.blownLevel) white++
    }
  }
  return seen === 0 ? 0 : white / seen
}
