import type { HeadMeasure } from '../faces/measure-head.ts'
import { clamp } from '../../image/raster.ts'

/**
 * Outlines of people who face the camera, in head sizes: how far below the middle of the face, half
 * of the width there (median), and how far that is spread (standard deviation). Measured over both
 * sides of 45 portraits; below 2.5 the last row goes on.
 */
const outline: readonly (readonly [below: number, halfWidth: number, spread: number])[] = [
  [-1.2, -0.2, 0.2],
  [-0.8, 0.18, 0.14],
  [-0.6, 0.39, 0.1],
  [-0.3, 0.46, 0.08],
  [0, 0.47, 0.09],
  [0.2, 0.42, 0.12],
  [0.4, 0.42, 0.18],
  [0.5, 0.53, 0.22],
  [0.6, 0.74, 0.23],
  [0.8, 1.02, 0.23],
  [1, 1.18, 0.2],
  [1.4, 1.35, 0.23],
  [2.5, 1.43, 0.22],
]

/** Nowhere is it quite sure that a body is there, or isn't. */
const doubt = 0.01

/** How probable it is that a person's body, seen from the front, covers a point of the photo. */
export function bodyProbability(head: HeadMeasure, x: number, y: number): number {
  const across = Math.abs(x - head.centre.x) / head.size
  const below = (y - head.centre.y) / head.size
  const last = outline.length - 1
  let row = 1
  while (row < last && outline[row]![0] < below) row++
  const [top, halfAbove, spreadAbove] = outline[row - 1]!
  const [bottom, halfBelow, spreadBelow] = outline[row]!
  const share = clamp((below - top) / (bottom - top), 0, 1)
  const half = halfAbove + (halfBelow - halfAbove) * share
  const spread = spreadAbove + (spreadBelow - spreadAbove) * share
  // A logistic curve with the spread of a normal one.
  const inside = 1 / (1 + Math.exp(((across - half) / spread) * 1.7))
  return doubt + (1 - 2 * doubt) * inside
}
