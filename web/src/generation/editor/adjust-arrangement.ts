import { arrangementLimits } from '@starside/contract/arrangement-limits.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import type { ArrangedSubject, Arrangement } from '@starside/contract/arrangement.ts'
import type { SelfieAspect } from '@starside/contract/scenes.ts'
import { isSeenAt, placeOf, type DrawnPerson } from './draw-parts.ts'
import type { Point } from './picture-view.ts'

const { sizeMin, sizeMax, turnDegreesMax } = arrangementLimits

type People = readonly DrawnPerson[]

/** How far each measure of a subject may be set in the editor. */
export const subjectRanges = {
  size: { min: sizeMin, max: sizeMax, step: 0.01, isRelative: true },
  turnDegrees: { min: -turnDegreesMax, max: turnDegreesMax, step: 1, unit: '°' },
  brightness: { min: -1, max: 1, step: 0.05 },
  warmth: { min: -1, max: 1, step: 0.05 },
  x: { min: 0, max: 1, step: 0.01 },
  y: { min: 0, max: 1, step: 0.01 },
} as const

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
    return [measure, subject[measure] && Math.min(max, Math.max(min, subject[measure]))] as const
  })
  return { ...subject, ...Object.fromEntries(measures) }
}

/** A subject and its neighbour: the next to the right, and on the left of the last. */
export function neighboursOf({ subjects }: Arrangement, index: number): number[] {
  const order = [...subjects.keys()].toSorted((a, b) => subjects[a]!.x - subjects[b]!.x)
  const at = Math.min(order.indexOf(index), order.length - 2)
  return order.slice(at, at + 2)
}

/** Has a pair change places: across the picture, or between themselves where there are others. */
export function swapSides(from: Arrangement, people: People, pair: readonly number[]): Arrangement {
  const middles = pair.map((index) => middleOf(from, people, index).x)
  const sum = from.subjects.length > 2 ? middles[0]! + middles[1]! : 1
  return pair.reduce((now, index, n) => {
    const x = sum - middles[n]! - (middles[n]! - now.subjects[index]!.x)
    return changeSubject(now, index, { x })
  }, from)
}

/** Sizes, turns, flips or moves a subject: all but a move leaves the middle of its heads where it is. */
export function changeWhole(
  arrangement: Arrangement,
  people: People,
  index: number,
  change: Partial<ArrangedSubject>,
): Arrangement {
  const { x, y, ...about } = { ...arrangement.subjects[index]!, ...change }
  const changed = changeSubject(arrangement, index, about)
  const [from, to] = [arrangement, changed].map((each) => middleOf(each, people, index))
  return changeSubject(changed, index, { x: x + (from!.x - to!.x), y: y + (from!.y - to!.y) })
}

/** The middle of a subject's heads. */
export function middleOf(arrangement: Arrangement, people: People, index: number): Point {
  const heads = headsIn(arrangement, people)[index]!
  const middle = (places: number[]) => (Math.min(...places) + Math.max(...places)) / 2
  return { x: middle(heads.map(({ x }) => x)), y: middle(heads.map(({ y }) => y)) }
}

/** Where each subject's heads stand, and how large; the first alone of whom nothing has come yet. */
export function headsIn({ subjects, aspect }: Arrangement, people: People) {
  const { width, height } = shapeOf(aspect)
  return subjects.map((subject, n): (Point & { size: number })[] => {
    const person = people[n]
    if (!person) return [subject]
    const place = placeOf(person, subject, width, height)
    return person.heads.map((head) => {
      const { x, y } = place.transformPoint(head)
      const size = (subject.size * head.size) / person.heads[0]!.size
      return { x: x / width, y: y / height, size }
    })
  })
}

/** Brings a subject before all others, or behind them where it stands in front. */
export function changeDepth(arrangement: Arrangement, index: number): Arrangement {
  const others = arrangement.frontToBack.filter((each) => each !== index)
  const isInFront = arrangement.frontToBack[0] === index
  return { ...arrangement, frontToBack: isInFront ? [...others, index] : [index, ...others] }
}

/** A format's sides, in parts of each other. */
export function shapeOf(aspect: SelfieAspect): { width: number; height: number } {
  const [width = 4, height = 5] = aspect.split(':').map(Number)
  return { width, height }
}

/** Another format with everybody as near to each other, smaller where it is too narrow; out of the first one, where nobody was moved since. */
export function inFormat(
  now: Arrangement,
  aspect: SelfieAspect,
  people: People,
  initial: Arrangement = now,
): Arrangement {
  const compose = (from: Arrangement, to: SelfieAspect) => composed(from, to, people)
  const isUnmoved = JSON.stringify(compose(initial, now.aspect)) === JSON.stringify(now.subjects)
  return { ...now, aspect, subjects: compose(isUnmoved ? initial : now, aspect) }
}

function composed(from: Arrangement, to: SelfieAspect, people: People): ArrangedSubject[] {
  if (from.aspect === to) return from.subjects
  const [before, after] = [from.aspect, to].map(shapeOf).map(({ width, height }) => width / height)
  const heads = headsIn(from, people).flat()
  const places = heads.map(({ x }) => x)
  const middle = (Math.min(...places) + Math.max(...places)) / 2
  const across = (x: number) => (x - middle) * (before! / after!)
  // From the middle to the farthest cheek, in parts of the new width.
  const reaches = heads.map(({ x, size }) => Math.abs(across(x)) + size / (2 * after!))
  const scale = Math.min(1, 0.5 / Math.max(...reaches))
  return from.subjects.map((subject) => {
    const [x, y] = [0.5 + across(subject.x) * scale, 1 - (1 - subject.y) * scale]
    return withinRanges({ ...subject, x, y, size: subject.size * scale })
  })
}

/** Who is seen at a point of the picture, else whose head is nearest to it, and how far a head is in its sizes. */
export function subjectAt(arrangement: Arrangement, people: People, { x, y }: Point) {
  const { width, height } = shapeOf(arrangement.aspect)
  const distances = headsIn(arrangement, people).map((heads) => {
    const away = heads.map((at) => Math.hypot(((at.x - x) * width) / height, at.y - y) / at.size)
    return Math.min(...away)
  })
  const away = Math.min(...distances)
  const seen = arrangement.frontToBack.find(
    (n) => people[n] && isSeenAt(people[n], arrangement.subjects[n]!, { x, y }, { width, height }),
  )
  return { index: seen ?? distances.indexOf(away), away }
}
