import { useEffect } from 'react'

/**
 * Keeps the browser from opening a file that is dropped beside the places that take one, which
 * would replace the page and everything chosen on it.
 */
export function useIgnoredDrops(): void {
  useEffect(() => {
    const ignore = (event: DragEvent): void => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    addEventListener('dragover', ignore)
    addEventListener('drop', ignore)
    return () => {
      removeEventListener('dragover', ignore)
      removeEventListener('drop', ignore)
    }
  }, [])
}
