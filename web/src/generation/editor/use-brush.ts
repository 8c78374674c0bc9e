import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import type { Point } from './picture-view.ts'
import { inBox, type DragOptions, type Paint, type StageProps } from './use-drag.ts'
import { useMessages } from '../../ui/language.tsx'
import { keysOf } from '@starside/contract/keys-of.ts'
import { changeWhole, subjectRanges } from './adjust-arrangement.ts'
import keySteps from './key-steps.json'

/** What one press changes, in steps of the measure's slider; plus without the Shift key is `=`. */
const steps: Partial<Record<string, Partial<Record<'x' | 'y' | 'size', number>>>> = keySteps
const stepsWithShift = 5

/** What a key changes in the picture, with the Shift key farther; null for any other key. */
function stepOf({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent) {
  const step = steps[key]
  if (!step || altKey || ctrlKey || metaKey) return null
  const [measure] = keysOf(step)
  const times = shiftKey && measure !== 'size' ? stepsWithShift : 1
  return measure && { measure, change: subjectRanges[measure].step * step[measure]! * times }
}

interface BrushOptions extends Pick<StageProps, 'arrangement' | 'selected' | 'onMove' | 'onLift'> {
  paint: Paint
}

/** The brush in the picture: it follows the pointer, or the arrow keys, from the middle of the head; Space begins and ends a stroke. */
export function useBrush({ arrangement, selected, paint, onMove, onLift }: BrushOptions) {
  const [at, setAt] = useState<Point | null>(null)
  const [isPainting, setPainting] = useState(false)
  const stroke = useRef<{ from: Arrangement; path: Point[] } | null>(null)
  const extend = (point: Point): void => {
    setAt(point)
    stroke.current?.path.push(point)
    if (stroke.current) onMove(paint(stroke.current.from, stroke.current.path))
  }
  const end = (): void => {
    stroke.current = null
    setPainting(false)
    onLift()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const { x, y } = at ?? arrangement.subjects[selected]!
    const step = stepOf(event)
    const isSpace = event.key === ' ' && !(event.altKey || event.ctrlKey || event.metaKey)
    if (step ? step.measure === 'size' : !isSpace) return
    const point = { x, y }
    event.preventDefault()
    if (step && step.measure !== 'size') {
      const value = Math.min(1, Math.max(0, point[step.measure] + step.change))
      extend({ ...point, [step.measure]: value })
    } else if (stroke.current) end()
    else {
      stroke.current = { from: arrangement, path: [] }
      setPainting(true)
      extend(point)
    }
  }
  const follow = ({ clientX: x, clientY: y, currentTarget }: PointerEvent<HTMLElement>): void =>
    setAt(inBox({ x, y }, currentTarget.getBoundingClientRect()))
  const onBlur = (): void => {
    if (stroke.current) end()
    setAt(null)
  }
  const handlers = { onKeyDown, onBlur, onPointerLeave: onBlur, onPointerMoveCapture: follow }
  return { at, isPainting, handlers }
}

/** Arrow keys move who is selected, plus and minus size them; `moved` says what a key has done. */
export function useKeys(props: Omit<DragOptions, 'frame' | 'paint'> & { initial: Arrangement }) {
  const { arrangement, initial, selected, isStill, preview, onMove, onLift } = props
  const m = useMessages('variations')
  const [measure, setMeasure] = useState<'x' | 'y' | 'size' | null>(null)
  const subject = arrangement.subjects[selected]!
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = stepOf(event)
    if (isStill || !step) return
    event.preventDefault()
    setMeasure(step.measure)
    const value = subject[step.measure] + step.change
    onMove(changeWhole(arrangement, preview.people, selected, { [step.measure]: value }))
  }
  const onBlur = (): void => {
    setMeasure(null)
    onLift()
  }
  const whole = measure === 'size' ? initial.subjects[selected]!.size : 1
  const moved =
    measure && `${m.measures[measure]} ${Math.round((subject[measure] / whole) * 100)} %`
  return { onKeyDown, onKeyUp: onLift, onBlur, moved }
}
