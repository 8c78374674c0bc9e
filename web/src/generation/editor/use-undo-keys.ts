import { useEffect } from 'react'
import type { EditorAction } from './editor-state.ts'

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
