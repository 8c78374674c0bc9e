import type { FoundFace } from './find-faces.ts'
import type { HeadMeasure } from './measure-head.ts'

/** By so many quarter turns beyond a half one a head may lean on an upright body: up to 60°. */
const leanMore = 0.17

/** Steps of 90° clockwise that bring the photo of a head upright. */
export function quarterRotationsFor({ roll }: Pick<HeadMeasure, 'roll'>): number {
  const quarters = Math.round(Math.max(0, Math.abs(roll) / (Math.PI / 2) - leanMore))
  return (4 - Math.sign(roll) * quarters) % 4
}

/** Where a point of a picture lies once the picture is rotated by quarter turns clockwise. */
export function rotatePoint(
  point: { x: number; y: number },
  width: number,
  height: number,
  quarterTurns: number,
): { x: number; y: number } {
  switch (quarterTurns) {
    case 1:
      return { x: height - point.y, y: point.x }
    case 2:
      return { x: width - point.x, y: height - point.y }
    case 3:
      return { x: point.y, y: width - point.x }
    default:
      return point
  }
}

/** The face whose head is nearest to a point. */
export function nearestFace(
  faces: readonly FoundFace[],
  wanted: { x: number; y: number },
): FoundFace | undefined {
  const away = (face: FoundFace): number =>
    Math.hypot(face.head.centre.x - wanted.x, face.head.centre.y - wanted.y)
  return faces.toSorted((one, other) => away(one) - away(other))[0]
}
