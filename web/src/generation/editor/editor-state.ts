import type { Arrangement } from '@starside/contract/arrangement.ts'

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
