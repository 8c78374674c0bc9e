import { arrangementLimits } from '@starside/contract/arrangement-limits.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import type { ArrangedSubject, Arrangement } from '@starside/contract/arrangement.ts'

const { sizeMin, sizeMax, turnDegreesMax } = arrangementLimits

/** How far each measure of a subject may be set in the editor. */
export const subjectRanges = {
  size: { min: sizeMin, max: sizeMax, step: 0.01 },
  x: { min: 0, max: 1, step: 0.01 },
  y: { min: 0, max: 1, step: 0.01 },
  turnDegrees: { min: -turnDegreesMax, max: turnDegreesMax, step: 1, unit: '°' },
} as const
export type SubjectMeasure = keyof typeof subjectRanges

/** Changes one subject, within what an arrangement may be. */
export function changeSubject(
  arrangement: Arrangement,
  index: number,
  change: Partial<ArrangedSubject>,
): Arrangement {
  const subjects = arrangement.subjects.map((subject, n) =>
    n === index ? withinRanges({ ...subject, ...change }) : subject,
  )
  return { ...arrangement, subjects }
}

function withinRanges(subject: ArrangedSubject): ArrangedSubject {
  const within = (measure: SubjectMeasure): number => {
    const { min, max } = subjectRanges[measure]
    return Math.min(max, Math.max(min, subject[measure]))
  }
  const measures = keysOf(subjectRanges).map((measure) => [measure, within(measure)] as const)
  return { ...subject, ...Object.fromEntries(measures) }
}

/** Puts everybody on the other side; nobody is mirrored by it. */
export function swapSides(arrangement: Arrangement): Arrangement {
  const subjects = arrangement.subjects.map((subject) => ({ ...subject, x: 1 - subject.x }))
  return { ...arrangement, subjects }
}

export function bringToFront(arrangement: Arrangement, index: number): Arrangement {
  const behind = arrangement.frontToBack.filter((each) => each !== index)
  return { ...arrangement, frontToBack: [index, ...behind] }
}

/** The subject whose head is nearest to a point, in parts of the picture. */
export function subjectAt({ subjects }: Arrangement, point: { x: number; y: number }): number {
  const distances = subjects.map(({ x, y, size }) => Math.hypot(x - point.x, y - point.y) / size)
  return distances.indexOf(Math.min(...distances))
}
