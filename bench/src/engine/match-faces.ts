import type { HeadMeasure } from '@starside/engine/compositor/faces/measure-head.ts'
import { cosine } from './identity.ts'

type Embedding = readonly number[] | undefined

/** Likeness of each source to its face, 0…1; those without an embedding are left out. */
export function cosinesOf(sources: readonly Embedding[], faces: readonly Embedding[]): number[] {
  return sources.flatMap((source, index) => {
    const face = faces[index]
    return source && face ? [cosine(source, face)] : []
  })
}

export function totalOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** The head whose middle lies within two fifths of `reach` of a place. */
export function nearest(
  heads: readonly HeadMeasure[],
  wanted: { x: number; y: number },
  reach: number,
): HeadMeasure | undefined {
  return heads.find(
    (head) => Math.hypot(head.centre.x - wanted.x, head.centre.y - wanted.y) < reach * 0.4,
  )
}

/** The face whose middle lies closest to a place. */
export function closest<T extends { x: number; y: number }>(
  faces: readonly T[],
  x: number,
  y: number,
): T | undefined {
  const away = (face: T): number => Math.hypot(face.x - x, face.y - y)
  return faces.toSorted((one, other) => away(one) - away(other))[0]
}
