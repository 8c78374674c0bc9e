import { arrangementLimits } from '@starside/contract/arrangement-limits.ts'
import type { ArrangedSubject, Arrangement } from '@starside/contract/arrangement.ts'

/** How far each measure of a subject may be set in the editor. */
export const subjectRanges = {
  x: { min: 0, max: 1, step: 0.01 },
  y: { min: 0, max: 1, step: 0.01 },
  size: { min: arrangementLimits.sizeMin, max: arrangementLimits.sizeMax, step: 0.01 },
  turnDegrees: {
    min: -arrangementLimits.turnDegreesMax,
    max: arrangementLimits.turnDegreesMax,
    step: 1,
  },
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
  return {
    ...subject,
    x: within('x'),
    y: within('y'),
    size: within('size'),
    turnDegrees: within('turnDegrees'),
  }
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
