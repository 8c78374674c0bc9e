import { useRef, type PointerEvent, type RefObject, useEffect, useEffectEvent } from 'react'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import { changeWhole, middleOf, subjectAt } from './adjust-arrangement.ts'
import type { PictureParts } from './draw-parts.ts'
import { zoomView, type PictureView, type Point } from './picture-view.ts'

/** What is done in the picture, by fingers and by keys. */
export interface StageProps {
  arrangement: Arrangement
  selected: number
  /** Nobody can be moved, as while the picture before is shown. */
  isStill: boolean
  view: PictureView
  /** Whether a frame stands about who is chosen: two fingers size them then, and else the picture. */
  showsSelected: boolean
  onSelect: (index: number) => void
  onMove: (arrangement: Arrangement) => void
  onView: (view: PictureView) => void
  /** The finger or the key was lifted, or the focus went elsewhere. */
  onLift: () => void
}

export interface DragOptions extends StageProps {
  preview: Pick<PictureParts, 'people'>
  /** What the picture is seen in. */
  frame: RefObject<HTMLElement | null>
  /** Where a brush is chosen: what a finger's path paints; null where it moves a person. */
  paint: Paint | null
}

/** An arrangement with a stroke of a brush; its path in parts of the picture. */
export type Paint = (from: Arrangement, path: readonly Point[]) => Arrangement

/** Where a drag began: the fingers, and all as it was then. */
interface Drag {
  index: number
  /** Whether a corner of the frame about that person is held. */
  isResizing: boolean
  /** Where the picture stands on the screen; it stays there while a person is held. */
  box: DOMRect
  from: Arrangement
  view: PictureView
  /** In pixels of the screen. */
  points: Map<number, Point>
  startPoints: Map<number, Point>
  /** Where a brush has been, in parts of the picture; null where that itself is enlarged and moved. */
  path: Point[] | null
}

/** One finger moves or sizes a person, or paints; two move, size and turn them, or enlarge the picture, which another button moves. */
export function useDrag(options: DragOptions) {
  const { arrangement, preview, selected, view, frame, showsSelected, paint } = options
  const { onSelect, onMove, onView, onLift } = options
  const drag = useRef<Drag | null>(null)
  useWheel(options)

  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    const box = event.currentTarget.getBoundingClientRect()
    const at = { x: event.clientX, y: event.clientY }
    const isResizing = event.target instanceof Element && event.target.matches('[data-corner]')
    const [point, before] = [inBox(at, box), drag.current]
    const nearest = subjectAt(arrangement, preview.people, point)
    const index = before?.index ?? (isResizing ? selected : nearest.index)
    const points = new Map(before?.points).set(event.pointerId, at)
    const startPoints = new Map(points)
    // Beside the heads, of which each reaches a little beyond half its size, a finger moves an enlarged picture.
    const isBeside = view.zoom > 1 && nearest.away > 0.65
    const isOfView = before
      ? before.path === null || !showsSelected
      : event.button !== 0 || (isBeside && !isResizing && !paint)
    // What the first finger has painted meanwhile isn't meant.
    if (before?.path?.length) onMove(before.from)
    const path = isOfView ? null : []
    drag.current = { index, isResizing, box, from: arrangement, view, points, startPoints, path }
    if (!paint && !isOfView) onSelect(index)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const current = drag.current
    if (!current?.points.has(event.pointerId)) return
    current.points.set(event.pointerId, { x: event.clientX, y: event.clientY })
    if (paint && current.path) return paintAlong(current, event)
    const box = frame.current?.getBoundingClientRect()
    if (current.path || !box) return onMove(follow(current, preview.people))
    const { startPoints, points } = current
    const [before, now] = [spanOf(startPoints.values()), spanOf(points.values())]
    const [from, to] = [inBox(before.middle, box), inBox(now.middle, box)]
    onView(zoomView(current.view, now.length / before.length, from, to))
  }
  const onPointerUp = (event: PointerEvent<HTMLElement>): void => {
    const current = drag.current
    if (!current?.points.delete(event.pointerId)) return
    if (current.points.size > 0) {
      const box = event.currentTarget.getBoundingClientRect()
      const startPoints = new Map(current.points)
      drag.current = { ...current, box, from: arrangement, view, startPoints }
      return
    }
    if (current.path?.length === 0) paintAlong(current, event)
    drag.current = null
    onLift()
  }
  const paintAlong = ({ path, from, box }: Drag, event: PointerEvent): void => {
    if (!paint || !path) return
    path.push(inBox({ x: event.clientX, y: event.clientY }, box))
    onMove(paint(from, path))
  }
  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp }
}

/** In parts of a box. */
export function inBox({ x, y }: Point, { left, top, width, height }: DOMRect): Point {
  return { x: (x - left) / width, y: (y - top) / height }
}

function follow(drag: Drag, people: PictureParts['people']): Arrangement {
  const { index, isResizing, box, from, points, startPoints } = drag
  const subject = from.subjects[index]!
  if (isResizing && points.size === 1) {
    const { x, y } = middleOf(from, people, index)
    const middle = { x: box.left + x * box.width, y: box.top + y * box.height }
    const [before, now] = [startPoints, points].map((held) => spanOf([middle, ...held.values()]))
    return changeWhole(from, people, index, { size: subject.size * (now!.length / before!.length) })
  }
  const [before, now] = [spanOf(startPoints.values()), spanOf(points.values())]
  return changeWhole(from, people, index, {
    x: subject.x + (now.middle.x - before.middle.x) / box.width,
    y: subject.y + (now.middle.y - before.middle.y) / box.height,
    size: subject.size * (now.length / before.length),
    turnDegrees: subject.turnDegrees + now.degrees - before.degrees,
  })
}

/** How the first two fingers lie; one finger by itself has no length. */
function spanOf(points: Iterable<Point>) {
  const [one = { x: 0, y: 0 }, other = one] = points
  const [x, y] = [other.x - one.x, other.y - one.y]
  return {
    middle: { x: one.x + x / 2, y: one.y + y / 2 },
    // Fingers that touch each other would enlarge without end.
    length: Math.max(10, Math.hypot(x, y)),
    degrees: (Math.atan2(y, x) * 180) / Math.PI,
  }
}

/** Turning the wheel so far enlarges to the double. */
const pixelsForDouble = 300

/** The wheel enlarges the picture about the pointer. */
function useWheel({ frame, view, onView }: Pick<DragOptions, 'frame' | 'view' | 'onView'>): void {
  const turn = useEffectEvent((event: WheelEvent, element: HTMLElement) => {
    event.preventDefault()
    const at = inBox({ x: event.clientX, y: event.clientY }, element.getBoundingClientRect())
    onView(zoomView(view, 2 ** (-event.deltaY / pixelsForDouble), at))
  })
  useEffect(() => {
    const element = frame.current!
    const onWheel = (event: WheelEvent): void => turn(event, element)
    // React listens passively, so that the page would scroll.
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [frame])
}
