import { useEffect, useEffectEvent } from 'react'

/** Takes a picture pasted anywhere on the page, unless a text field has the focus. */
export function usePastedPhoto(disabled: boolean, onFile: (file: File) => void): void {
  const onPaste = useEffectEvent((event: ClipboardEvent): void => {
    if (disabled) return
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement)
      return
    const files = [...(event.clipboardData?.files ?? [])]
    const file = files.find((one) => one.type.startsWith('image/'))
    if (!file) return
    event.preventDefault()
    onFile(file)
  })
  useEffect(() => {
    const listener = (event: ClipboardEvent): void => onPaste(event)
    document.addEventListener('paste', listener)
    return () => document.removeEventListener('paste', listener)
  }, [])
}
