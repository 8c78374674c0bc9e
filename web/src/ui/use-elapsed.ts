import { useEffect, useState } from 'react'

/** The current time, renewed every second while `active`. Milliseconds since 1970. */
export function useNow(active: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    if (!active) return
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [active])
  return nowMs
}

/** A time limit is told only once so little of it is left; before that it would only hurry. */
export const nearEndMs = 5 * 60_000

/** Milliseconds as `m:ss`. */
export function minutesText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
