import { useEffect, useEffectEvent, useState } from 'react'

interface IdleReturn {
  /** False while somebody waits for a picture, who has nothing to touch. */
  isActive: boolean
  /** After how long without a touch or a key it returns, in ms. */
  limitMs: number
  /** For how long before that the seconds are told, in ms. */
  warnMs: number
  /** Milliseconds of a clock. */
  now: () => number
  onReturn: () => void
}

const looksEveryMs = 250
const signsOfLife = ['pointerdown', 'keydown'] as const

/**
 * Calls `onReturn` once nobody has touched the screen or a key for `limitMs`. Gives the seconds that
 * are left while it warns, else null.
 */
export function useIdleReturn(options: IdleReturn): number | null {
  const { isActive, limitMs, warnMs, now } = options
  const [leftSeconds, setLeft] = useState<number | null>(null)
  const giveBack = useEffectEvent(options.onReturn)
  useEffect(() => {
    if (!isActive) return undefined
    let touchedAtMs = now()
    const touch = (): void => {
      touchedAtMs = now()
      setLeft(null)
    }
    const timer = setInterval(() => {
      const leftMs = limitMs - (now() - touchedAtMs)
      setLeft(leftMs > warnMs ? null : Math.max(0, Math.ceil(leftMs / 1_000)))
      if (leftMs > 0) return
      touch()
      giveBack()
    }, looksEveryMs)
    for (const sign of signsOfLife) addEventListener(sign, touch, true)
    return () => {
      clearInterval(timer)
      for (const sign of signsOfLife) removeEventListener(sign, touch, true)
      setLeft(null)
    }
  }, [isActive, limitMs, warnMs, now])
  return leftSeconds
}
