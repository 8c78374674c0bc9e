import { useState, type KeyboardEvent } from 'react'
import { useMessages } from '../../ui/language.tsx'
import { changeSubject, subjectRanges, type SubjectMeasure } from './adjust-arrangement.ts'
import type { StageProps } from './use-drag.ts'

/** What one press changes, in steps of the measure's slider. */
const steps: Partial<Record<string, readonly [Exclude<SubjectMeasure, 'turnDegrees'>, number]>> = {
  ArrowLeft: ['x', -1],
  ArrowRight: ['x', 1],
  ArrowUp: ['y', -1],
  ArrowDown: ['y', 1],
  '+': ['size', 1],
  // Plus without the Shift key.
  '=': ['size', 1],
  '-': ['size', -1],
}
const longStep = 5

/**
 * Arrow keys move the selected person in the picture, plus and minus change their size, as fingers do.
 * `moved` says what a key changed and how it stands now, until the focus goes elsewhere.
 */
export function useKeys({ arrangement, selected, isStill, onMove, onLift }: StageProps) {
  const m = useMessages('variations')
  const [measure, setMeasure] = useState<'x' | 'y' | 'size' | null>(null)
  const subject = arrangement.subjects[selected]
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key]
    if (isStill || !subject || !step || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const [changed, count] = step
    const times = event.shiftKey && changed !== 'size' ? longStep : 1
    const value = subject[changed] + subjectRanges[changed].step * count * times
    setMeasure(changed)
    onMove(changeSubject(arrangement, selected, { [changed]: value }))
  }
  const onBlur = (): void => {
    setMeasure(null)
    onLift()
  }
  const value = measure && subject ? Math.round(subject[measure] * 100) : 0
  const moved = measure === null ? null : `${m.measures[measure]} ${value} %`
  return { onKeyDown, onKeyUp: onLift, onBlur, moved }
}
