import { useEffect, useRef, useState } from 'react'

/** A text that goes away by itself after `lifetimeMs`. */
export function useNotice(lifetimeMs: number): [string | null, (text: string) => void] {
  const [text, setText] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = (next: string): void => {
    clearTimeout(timer.current)
    setText(next)
    timer.current = setTimeout(() => setText(null), lifetimeMs)
  }
  return [text, show]
}
