import { useReducer, useState, useEffect, useEffectEvent } from 'react'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { starName } from '../../ui/join-stars.ts'
import { useMessages } from '../../ui/language.tsx'
import { useListener } from '../../ui/use-listener.ts'

/** What is changed of a finished picture's chosen arrangement, and who is being moved. */
export function useEditing({ variations, celebrities }: GenerationItem) {
  const { you } = useMessages('variations')
  const texts = useMessages('dashboard')
  const initial = (variations.find(({ isChosen }) => isChosen) ?? variations[0])?.arrangement
  if (!initial) throw new Error('a picture with layers has an arrangement')
  const [state, dispatch] = useReducer(reduceEditor, initial, openEditor)
  const [selected, onSelect] = useState(0)
  const [isMoving, setMoving] = useState(false)
  const [isComparing, setComparing] = useState(false)
  return {
    state,
    dispatch,
    initial,
    isChanged: state.present !== initial,
    /** The arrangement that is looked at: the picture's own while both are compared. */
    shown: isComparing ? initial : state.present,
    /** The person that keys and sliders move, as an index of `names`. */
    selected,
    onSelect,
    names: numberAlike([you, ...celebrities.map((name) => starName(name, texts))]),
    /** Whether somebody is being dragged, or painted on. */
    isMoving,
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
  return names.map((name, n) => {
    if (names.filter((other) => other === name).length === 1) return name
    const number = names.slice(0, n + 1).filter((other) => other === name).length
    return `${name} ${number}`
  })
}

/** What was done to an arrangement, so that each step can be taken back and done again. */
export interface EditorState {
  past: readonly Arrangement[]
  present: Arrangement
  future: readonly Arrangement[]
  /** What the last step changed: more of the same is one step with it. */
  lastChange: string | null
}

export type EditorAction =
  /** `of` names what is changed, such as a slider that is being moved; null is a step of its own. */
  | { type: 'change'; arrangement: Arrangement; of: string | null }
  /** The hand was lifted: what follows is another step. */
  | { type: 'settle' }
  | { type: 'undo' }
  | { type: 'redo' }
  | { type: 'start-over' }

const stepsMax = 100

export function openEditor(arrangement: Arrangement): EditorState {
  return { past: [], present: arrangement, future: [], lastChange: null }
}

export function reduceEditor(state: EditorState, action: EditorAction): EditorState {
  const { past, present, future } = state
  switch (action.type) {
    case 'change': {
      const isSameStep = action.of !== null && action.of === state.lastChange
      return {
        past: isSameStep ? past : [...past, present].slice(-stepsMax),
        present: action.arrangement,
        future: [],
        lastChange: action.of,
      }
    }
    case 'settle':
      return { ...state, lastChange: null }
    case 'undo': {
      const before = past.at(-1)
      if (before === undefined) return state
      return {
        past: past.slice(0, -1),
        present: before,
        future: [present, ...future],
        lastChange: null,
      }
    }
    case 'redo': {
      const [next, ...rest] = future
      if (next === undefined) return state
      return { past: [...past, present], present: next, future: rest, lastChange: null }
    }
    case 'start-over': {
      const first = past[0]
      if (first === undefined) return state
      return { past: [...past, present], present: first, future: [], lastChange: null }
    }
  }
}

/** What is kept with the entry of the browser's history that the way back leads to first. */
const guard = { isGuard: true }

/** Asks before a guarded page is left: the browser at a reload or another address, `onBack` at the way back. */
export function useLeaveGuard(isGuarded: boolean, onBack: () => void): void {
  const back = useEffectEvent(onBack)
  useEffect(() => {
    if (!isGuarded) return
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    const stay = (): void => {
      history.pushState(guard, '')
      back()
    }
    history.pushState(guard, '')
    addEventListener('beforeunload', ask)
    addEventListener('popstate', stay)
    return () => {
      removeEventListener('beforeunload', ask)
      removeEventListener('popstate', stay)
      const state: unknown = history.state
      if (typeof state === 'object' && state !== null && 'isGuard' in state) history.back()
    }
  }, [isGuarded])
}
