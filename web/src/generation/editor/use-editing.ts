import { useReducer, useState, useEffect } from 'react'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { isRecord } from '../../api/is-record.ts'
import { starName } from '../../ui/join-stars.ts'
import { useMessages } from '../../ui/language.tsx'
import { useListener } from '../../ui/use-listener.ts'

/** What is changed of a finished picture's chosen arrangement, and who is being moved. */
export function useEditing({ variations, celebrities }: GenerationItem) {
  const { you } = useMessages('variations')
  const texts = useMessages('dashboard')
  const initial = (variations.find(({ isChosen }) => isChosen) ?? variations[0])?.arrangement
  if (!initial) throw new Error('a picture with layers has an arrangement')
  const [state, dispatch] = useReducer(reduceEditor, { steps: [initial], at: 0, lastChange: null })
  const { steps, at } = state
  const present = steps[at] ?? initial
  const [selected, onSelect] = useState(0)
  const [isMoving, setMoving] = useState(false)
  const [missed, setMissed] = useState<number | null>(null)
  const [isComparing, setComparing] = useState(false)
  return {
    /** The arrangement as it stands now. */
    present,
    canUndo: at > 0,
    canRedo: at < steps.length - 1,
    dispatch,
    initial,
    isChanged: present !== initial,
    /** The arrangement that is looked at: the picture's own while both are compared. */
    shown: isComparing ? initial : present,
    /** The person that keys and sliders move, as an index of `names`. */
    selected,
    onSelect,
    names: numberAlike([you, ...celebrities.map((name) => starName(name, texts))]),
    /** Whether somebody is being dragged, or painted on. */
    isMoving,
    /** Whether the last stroke of a brush lay on nothing of who is chosen. */
    isMissed: missed === selected && !isMoving,
    onStroke: (isMissed: boolean) => setMissed(isMissed ? selected : null),
    isComparing,
    toggleCompare: () => setComparing(!isComparing),
    onMove: (moved: Arrangement) => {
      setMoving(true)
      dispatch({ type: 'change', arrangement: moved, of: 'drag' })
    },
    onLift: () => {
      setMoving(false)
      dispatch({ type: 'settle' })
    },
    onChange: (changed: Arrangement, of: string | null) => {
      setComparing(false)
      dispatch({ type: 'change', arrangement: changed, of })
    },
    onSettle: () => dispatch({ type: 'settle' }),
  }
}

/** Ctrl+Z takes a step back, with Shift, or Ctrl+Y, it is done again; a field of text keeps its own. */
export function useUndoKeys(dispatch: (action: EditorAction) => void): void {
  useListener('keydown', (event) => {
    const isText = event.target instanceof HTMLInputElement && event.target.type === 'text'
    const key = event.key.toLowerCase()
    if (isText || !(event.ctrlKey || event.metaKey) || !['z', 'y'].includes(key)) return
    event.preventDefault()
    dispatch({ type: key === 'y' || event.shiftKey ? 'redo' : 'undo' })
  })
}

/** Numbers names that stand several times, as those of two photos of one's own. */
export function numberAlike(names: readonly string[]): string[] {
  const count = (name: string, end = names.length): number =>
    names.slice(0, end).filter((other) => other === name).length
  return names.map((name, n) => (count(name) > 1 ? `${name} ${count(name, n + 1)}` : name))
}

/** What was done to an arrangement, so that each step can be taken back and done again. */
export interface EditorState {
  steps: readonly Arrangement[]
  /** Which of them stands there: those after it were taken back. */
  at: number
  /** What the last step changed: more of the same is one step with it. */
  lastChange: string | null
}

export type EditorAction =
  /** `of` names what is changed, such as a slider that is being moved; null is a step of its own. */
  | { type: 'change'; arrangement: Arrangement; of: string | null }
  /** `settle`: the hand was lifted, what follows is another step. */
  | { type: 'settle' | 'undo' | 'redo' | 'start-over' }

const stepsMax = 100

export function reduceEditor(state: EditorState, action: EditorAction): EditorState {
  const { steps, at, lastChange } = state
  const add = (arrangement: Arrangement, of: string | null): EditorState => {
    const isSameStep = of !== null && of === lastChange
    const before = steps.slice(0, isSameStep ? at : at + 1).slice(-stepsMax)
    return { steps: [...before, arrangement], at: before.length, lastChange: of }
  }
  switch (action.type) {
    case 'change':
      return action.arrangement === steps[at] ? state : add(action.arrangement, action.of)
    case 'settle':
      return { ...state, lastChange: null }
    case 'undo':
      return { steps, at: Math.max(0, at - 1), lastChange: null }
    case 'redo':
      return { steps, at: Math.min(steps.length - 1, at + 1), lastChange: null }
    case 'start-over':
      return at > 0 ? add(steps[0]!, null) : state
  }
}

/** What is kept with the entry of the browser's history that the way back leads to first. */
const guard = { isGuard: true }

/** Asks before a guarded page is left: the browser at a reload or another address, `onBack` at the way back. */
export function useLeaveGuard(isGuarded: boolean, onBack: () => void): void {
  useListener('beforeunload', (event) => {
    if (isGuarded) event.preventDefault()
  })
  useListener('popstate', () => {
    if (!isGuarded) return
    history.pushState(guard, '')
    onBack()
  })
  useEffect(() => {
    if (!isGuarded) return
    // Going back to this entry scrolls to nowhere: what was saved has been brought into view.
    history.scrollRestoration = 'manual'
    history.pushState(guard, '')
    return () => {
      const state: unknown = history.state
      if (!isRecord(state) || state['isGuard'] !== true) return
      const scrollAgain = () => setTimeout(() => (history.scrollRestoration = 'auto'))
      addEventListener('popstate', scrollAgain, { once: true })
      history.back()
    }
  }, [isGuarded])
}
