import { arrangementLimits } from '@starside/contract/arrangement-limits.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import type { ArrangedSubject, Arrangement } from '@starside/contract/arrangement.ts'
import type { SelfieAspect } from '@starside/contract/scenes.ts'

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
  const subject = withinRanges({ ...arrangement.subjects[index]!, ...change })
  return { ...arrangement, subjects: arrangement.subjects.with(index, subject) }
}

function withinRanges(subject: ArrangedSubject): ArrangedSubject {
  const measures = keysOf(subjectRanges).map((measure) => {
    const { min, max } = subjectRanges[measure]
    return [measure, Math.min(max, Math.max(min, subject[measure]))] as const
  })
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

/** A format's sides, in parts of each other. */
export function shapeOf(aspect: SelfieAspect): { width: number; height: number } {
  const [width = 4, height = 5] = aspect.split(':').map(Number)
  return { width, height }
}

/**
 * Another format with everybody as near to each other as in this one, smaller where it is too narrow;
 * out of the format that they stood in at first, where nobody was moved since.
 */
export function inFormat(
  now: Arrangement,
  aspect: SelfieAspect,
  initial: Arrangement = now,
): Arrangement {
  const isUnmoved = JSON.stringify(composed(initial, now.aspect)) === JSON.stringify(now.subjects)
  return { ...now, aspect, subjects: composed(isUnmoved ? initial : now, aspect) }
}

function composed({ subjects, aspect }: Arrangement, to: SelfieAspect): ArrangedSubject[] {
  if (aspect === to) return subjects
  const [before, after] = [aspect, to].map(shapeOf).map(({ width, height }) => width / height)
  const places = subjects.map(({ x }) => x)
  const middle = (Math.min(...places) + Math.max(...places)) / 2
  const across = subjects.map(({ x }) => (x - middle) * (before! / after!))
  // From the middle to the farthest cheek, in parts of the new width.
  const reaches = subjects.map(({ size }, n) => Math.abs(across[n]!) + size / (2 * after!))
  const scale = Math.min(1, 0.5 / Math.max(...reaches))
  return subjects.map((subject, n) => {
    const [x, y] = [0.5 + across[n]! * scale, 1 - (1 - subject.y) * scale]
    return withinRanges({ ...subject, x, y, size: subject.size * scale })
  })
}

/** The subject whose head is nearest to a point, in parts of the picture. */
export function subjectAt({ subjects }: Arrangement, point: { x: number; y: number }): number {
  const distances = subjects.map(({ x, y, size }) => Math.hypot(x - point.x, y - point.y) / size)
  return distances.indexOf(Math.min(...distances))
}
