import rows from './body-outline.json' with { type: 'json' }
import type { HeadMeasure } from '../faces/measure-head.ts'
import { clamp } from '../../image/raster.ts'

/**
 * The outline of people who face the camera, in head sizes from above: how far below the middle of the face, half
 * of the width there (median), and how far that is spread (standard deviation). Measured over both
 * sides of 45 portraits; below 2.5 the last row goes on.
 */
const outline: readonly { below: number; halfWidth: number; spread: number }[] = rows

/** Nowhere is it quite sure that a body is there, or isn't. */
const doubt = 0.01

/** How probable it is that a person's body, seen from the front, covers a point of the photo. */
export function bodyProbability(head: HeadMeasure, x: number, y: number): number {
  const across = Math.abs(x - head.centre.x) / head.size
  const below = (y - head.centre.y) / head.size
  const last = outline.length - 1
  const row = outline.findIndex((each, n) => n > 0 && (n === last || each.below >= below))
  const [above, under] = [outline[row - 1]!, outline[row]!]
  const share = clamp((below - above.below) / (under.below - above.below), 0, 1)
  const half = above.halfWidth + (under.halfWidth - above.halfWidth) * share
  const spread = above.spread + (under.spread - above.spread) * share
  // A logistic curve with the spread of a normal one.
  const inside = 1 / (1 + Math.exp(((across - half) / spread) * 1.7))
  return doubt + (1 - 2 * doubt) * inside
}
