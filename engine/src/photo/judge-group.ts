import type { FoundFace } from '../compositor/faces/find-faces.ts'
import type { HeadMeasure } from '../compositor/faces/measure-head.ts'
import type { FaceJudgement } from './inspect-photo.ts'

/** Who is nearer to a chosen person than this, in head sizes, touches them. */
const touchingMax = 2

/**
 * Judges people who are to come into a picture together: who stands between them and touches them would leave a
 * body without a head, or a hole. Of seven such pictures two judges believed none (1 or 1.5 of 5; with who stands apart 2 to 2.5).
 */
export function judgeGroup(
  faces: readonly Pick<FoundFace, 'head'>[],
  faceIndexes: readonly number[],
): FaceJudgement {
  const chosen = faceIndexes.flatMap((index) => faces[index]?.head ?? [])
  const others = faces.flatMap(({ head }, index) => (faceIndexes.includes(index) ? [] : head))
  const isBetween = others.some((other) => standsBetween(other, chosen))
  return { refusals: isBetween ? ['someone_between'] : [], hints: [] }
}

function standsBetween(other: HeadMeasure, chosen: readonly HeadMeasure[]): boolean {
  const asides = chosen.map(({ centre }) => centre.x - other.centre.x)
  return (
    Math.min(...asides) < 0 &&
    Math.max(...asides) > 0 &&
    chosen.some((head) => doTouch(head, other))
  )
}

/** Whether two people of a photo stand so near to each other that they touch. */
export function doTouch(one: HeadMeasure, other: HeadMeasure): boolean {
  const away = Math.hypot(one.centre.x - other.centre.x, one.centre.y - other.centre.y)
  return away < touchingMax * Math.min(one.size, other.size)
}
