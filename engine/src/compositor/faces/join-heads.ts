import type { HeadMeasure } from './measure-head.ts'
import type { Point } from '../../image/raster.ts'

/**
 * Measures several heads of one photo as one, so that people who stand together are placed and scaled
 * as one: the box about their faces, the mean of their eyes, and the geometric mean of their sizes.
 * @param heads at least one; a single one is given back as it is
 */
export function joinHeads(heads: readonly HeadMeasure[]): HeadMeasure {
  const first = heads[0]
  if (!first) throw new Error('There is no head to be joined')
  if (heads.length === 1) return first
  const mean = (valueOf: (head: HeadMeasure) => number): number =>
    heads.reduce((sum, head) => sum + valueOf(head), 0) / heads.length
  const left = Math.min(...heads.map((head) => head.centre.x - head.faceWidth / 2))
  const right = Math.max(...heads.map((head) => head.centre.x + head.faceWidth / 2))
  return {
    eyes: { x: mean((head) => head.eyes.x), y: mean((head) => head.eyes.y) },
    centre: { x: (left + right) / 2, y: mean((head) => head.centre.y) },
    size: Math.exp(mean((head) => Math.log(head.size))),
    faceWidth: right - left,
    faceHeight: mean((head) => head.faceHeight),
    chin: lowest(heads.map((head) => head.chin)),
    foreheadTop: highest(heads.map((head) => head.foreheadTop)),
    oval: heads.flatMap((head) => head.oval),
    roll: mean((head) => head.roll),
    yaw: mean((head) => head.yaw),
  }
}

function lowest(points: readonly Point[]): Point {
  return points.reduce((best, point) => (point.y > best.y ? point : best))
}

function highest(points: readonly Point[]): Point {
  return points.reduce((best, point) => (point.y < best.y ? point : best))
}
