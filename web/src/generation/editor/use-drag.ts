import { useRef, type PointerEvent } from 'react'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import { changeSubject, subjectAt } from './adjust-arrangement.ts'

interface Point {
  x: number
  y: number
}

interface DragOptions {
  arrangement: Arrangement
  onSelect: (index: number) => void
  onMove: (arrangement: Arrangement) => void
  onLift: () => void
}

/** Where a drag began: the fingers, and the arrangement as it was then. */
interface Drag {
  index: number
  /** Where the picture stands on the screen; it stays there while it is held. */
  box: DOMRect
  from: Arrangement
  points: Map<number, Point>
  startPoints: Map<number, Point>
}

/** One finger moves a person; two move, size and turn them. Points are in parts of the picture. */
export function useDrag({ arrangement, onSelect, onMove, onLift }: DragOptions) {
  const drag = useRef<Drag | null>(null)

  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    const box = event.currentTarget.getBoundingClientRect()
    const point = pointOf(event, box)
    const index = drag.current?.index ?? subjectAt(arrangement, point)
    const points = new Map(drag.current?.points).set(event.pointerId, point)
    drag.current = { index, box, from: arrangement, points, startPoints: new Map(points) }
    onSelect(index)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const current = drag.current
    if (!current?.points.has(event.pointerId)) return
    current.points.set(event.pointerId, pointOf(event, current.box))
    onMove(follow(current, current.box.height / current.box.width))
  }
  const onPointerUp = (event: PointerEvent<HTMLElement>): void => {
    const current = drag.current
    if (!current?.points.delete(event.pointerId)) return
    if (current.points.size > 0) {
      drag.current = { ...current, from: arrangement, startPoints: new Map(current.points) }
      return
    }
    drag.current = null
    onLift()
  }
  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp }
}

function pointOf(event: PointerEvent<HTMLElement>, { left, top, width, height }: DOMRect): Point {
  return { x: (event.clientX - left) / width, y: (event.clientY - top) / height }
}

/** @param shape height of the picture by its width, so that both directions count alike */
function follow({ index, from, points, startPoints }: Drag, shape: number): Arrangement {
  const subject = from.subjects[index]
  const [start, startOther] = [...startPoints.values()]
  const [now, nowOther] = [...points.values()]
  if (!subject || !start || !now) return from
  const [startMiddle, middle] = [middleOf(start, startOther), middleOf(now, nowOther)]
  const moved = { x: subject.x + middle.x - startMiddle.x, y: subject.y + middle.y - startMiddle.y }
  if (!startOther || !nowOther) return changeSubject(from, index, moved)
  const [startSpan, span] = [spanOf(start, startOther, shape), spanOf(now, nowOther, shape)]
  return changeSubject(from, index, {
    ...moved,
    size: subject.size * (span.length / Math.max(0.01, startSpan.length)),
    turnDegrees: subject.turnDegrees + span.degrees - startSpan.degrees,
  })
}

function middleOf(one: Point, other: Point = one): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 }
}

function spanOf(one: Point, other: Point, shape: number): { length: number; degrees: number } {
  const [x, y] = [other.x - one.x, (other.y - one.y) * shape]
  return { length: Math.hypot(x, y), degrees: (Math.atan2(y, x) * 180) / Math.PI }
}
