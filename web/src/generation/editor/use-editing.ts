import { useEffect, useReducer, useState } from 'react'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { starName } from '../../ui/join-stars.ts'
import { useMessages } from '../../ui/language.tsx'
import { openEditor, reduceEditor, type EditorAction } from './editor-state.ts'

/** What is changed of a finished picture's chosen arrangement, and who is being moved. */
export function useEditing({ variations, celebrities }: GenerationItem) {
  const { you } = useMessages('variations')
  const texts = useMessages('dashboard')
  const chosen = (variations.find(({ isChosen }) => isChosen) ?? variations[0])?.arrangement
  if (!chosen) throw new Error('a picture with layers has an arrangement')
  const [state, dispatch] = useReducer(reduceEditor, chosen, openEditor)
  const [selected, setSelected] = useState(0)
  /** The arrangement as it was when a drag began; null while nobody is moved. */
  const [dragStart, setDragStart] = useState<Arrangement | null>(null)
  const [isComparing, setComparing] = useState(false)
  return {
    state,
    dispatch,
    /** The arrangement that is adjusted. */
    chosen,
    isChanged: state.present !== chosen,
    /** The arrangement that is looked at: the picture's own while both are compared. */
    shown: isComparing ? chosen : state.present,
    /** The person that keys and sliders move, as an index of `names`. */
    selected,
    setSelected,
    names: numberAlike([you, ...celebrities.map((name) => starName(name, texts))]),
    dragStart,
    isComparing,
    toggleCompare: () => setComparing(!isComparing),
    move: (moved: Arrangement) => {
      setDragStart((before) => before ?? state.present)
      dispatch({ type: 'change', arrangement: moved, of: 'drag' })
    },
    lift: () => {
      setDragStart(null)
      dispatch({ type: 'settle' })
    },
    change: (changed: Arrangement, of: string | null) => {
      setComparing(false)
      dispatch({ type: 'change', arrangement: changed, of })
    },
    settle: () => dispatch({ type: 'settle' }),
  }
}

/** Ctrl+Z takes a step back, with Shift, or Ctrl+Y, it is done again; a field of text keeps its own. */
export function useUndoKeys(dispatch: (action: EditorAction) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isText = event.target instanceof HTMLInputElement && event.target.type === 'text'
      const key = event.key.toLowerCase()
      if (isText || !(event.ctrlKey || event.metaKey) || !['z', 'y'].includes(key)) return
      event.preventDefault()
      dispatch({ type: key === 'y' || event.shiftKey ? 'redo' : 'undo' })
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [dispatch])
}

/** Numbers names that stand several times, as those of two photos of one's own. */
export function numberAlike(names: readonly string[]): string[] {
  return names.map((name, n) => {
    if (names.filter((other) => other === name).length === 1) return name
    const number = names.slice(0, n + 1).filter((other) => other === name).length
    return `${name} ${number}`
  })
}
