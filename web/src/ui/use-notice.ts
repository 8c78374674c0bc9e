import { useEffect, useRef, useState } from 'react'

/** A text that goes away by itself after `lifetimeMs`, or at once where null takes its place. */
export function useNotice(lifetimeMs: number): [string | null, (text: string | null) => void] {
  const [text, setText] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = (next: string | null): void => {
    clearTimeout(timer.current)
    setText(next)
    timer.current = setTimeout(() => setText(null), lifetimeMs)
  }
  return [text, show]
}
