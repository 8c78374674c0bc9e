import proportions from '../faces/head-proportions.json' with { type: 'json' }
import type { HeadMeasure } from '../faces/measure-head.ts'

/**
 * Half axes of a head with its hair, in head sizes, about the middle of the face, and half the width of a
 * neck; nothing of a body is nearer to it than a head's own inside.
 */
const { hair, neckHalf } = proportions

/**
 * Distance, in head sizes, to a head on a vertical stroke, negative in the head, so that a head
 * before another's body keeps its hair.
 */
export function bodyDistance(head: HeadMeasure, x: number, y: number): number {
  const across = (x - head.centre.x) / head.size
  const down = (y - head.centre.y) / head.size
  const toHead = Math.hypot(across / hair.across, down / (down < 0 ? hair.up : hair.down)) - 1
  const toBody = Math.max(0, Math.abs(across) - neckHalf)
  return Math.min(toHead * hair.across, down > 0 ? toBody : Infinity)
}

/** How much nearer the nearest own body is than the nearest other one, in head sizes. */
export function nearerBy(
  own: readonly HeadMeasure[],
  others: readonly HeadMeasure[],
  x: number,
  y: number,
): number {
  return distanceToAny(others, x, y) - distanceToAny(own, x, y)
}

function distanceToAny(heads: readonly HeadMeasure[], x: number, y: number): number {
  let nearest = Infinity
  for (const head of heads) nearest = Math.min(nearest, bodyDistance(head, x, y))
  return nearest
}
