import { useState, type DragEvent } from 'react'

/**
 * Handlers for an element that files may be dropped on, and whether one is over it now.
 * @param onFile takes the first file; undefined while none may be dropped
 */
export function useFileDrop(onFile: ((file: File) => void) | undefined) {
  const [isOver, setIsOver] = useState(false)
  const takesFile = (event: DragEvent): boolean =>
    onFile !== undefined && event.dataTransfer.types.includes('Files')
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!takesFile(event)) return
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave(event: DragEvent) {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false)
    },
    onDrop(event: DragEvent) {
      if (!takesFile(event)) return
      event.preventDefault()
      setIsOver(false)
      const file = event.dataTransfer.files[0]
      if (file) onFile?.(file)
    },
  }
  return { isOver, handlers }
}
