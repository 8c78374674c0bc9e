import { clamp } from '../../image/raster.ts'
import type { Rect } from '../../image/raster.ts'
import type { BackgroundReading } from './background-photo.ts'

/** A photo of a place is enlarged so much at most, to bring its horizon to the people's. */
const zoomMax = 1.7
/** What a window a whole photo's width aside costs, against one that shows nothing but a hole. */
const asideCost = 0.25
const asideSteps = 16

/**
 * The part of a photo of a place that fills the picture: its horizon comes to where the people's is, as
 * far as the photo reaches and may be enlarged. Of what it can show, that is chosen which lies about
 * the photo's middle and had the fewest people in it.
 * @param horizon in the picture, of its height from the top
 */
export function photoWindow(
  reading: Pick<BackgroundReading, 'width' | 'height' | 'horizon' | 'holes'>,
  picture: { width: number; height: number },
  horizon: number,
): Rect {
  const aspect = picture.width / picture.height
  const tallest = Math.min(reading.height, reading.width / aspect)
  const line = reading.horizon * reading.height
  const fitting = Math.min(line / horizon, (reading.height - line) / (1 - horizon))
  const height = clamp(fitting, tallest / zoomMax, tallest)
  const width = height * aspect
  return {
    x: bestLeft(reading, width),
    y: clamp(line - horizon * height, 0, reading.height - height),
    width,
    height,
  }
}

function bestLeft(
  { width: photoWidth, holes }: Pick<BackgroundReading, 'width' | 'holes'>,
  width: number,
): number {
  const room = photoWidth - width
  const middle = room / 2
  const lefts = Array.from({ length: asideSteps + 1 }, (_, n) => (room * n) / asideSteps)
  const costOf = (left: number): number => {
    const aside = Math.abs(left - middle) / photoWidth
    return holeIn(holes, left / photoWidth, (left + width) / photoWidth) + asideCost * aside
  }
  return lefts.reduce((best, left) => (costOf(left) < costOf(best) ? left : best), middle)
}

/** The share of holes between two places, both of the photo's width. */
function holeIn(holes: readonly number[], from: number, to: number): number {
  let sum = 0
  for (const [n, hole] of holes.entries()) {
    const inside = Math.min(to, (n + 1) / holes.length) - Math.max(from, n / holes.length)
    sum += hole * Math.max(0, inside)
  }
  return sum / (to - from)
}
