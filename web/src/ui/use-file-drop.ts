import { useState, type DragEvent } from 'react'

/** Lets a file be dropped on an element, and tells whether one is over it; none without `onFile`. */
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
