import { useEffect, useEffectEvent, useState } from 'react'

/** After so long without a touch or a key it returns, and tells the seconds for the last part of it. */
const limitMs = 40_000
const warnMs = 10_000
const looksEveryMs = 250
const signsOfLife = ['pointerdown', 'keydown'] as const

/**
 * Calls `onReturn` once nobody has touched the screen or a key for forty seconds. Gives the seconds
 * that are left for the last ten, else null.
 * @param isActive false while somebody waits for a picture, who has nothing to touch
 */
export function useIdleReturn(isActive: boolean, onReturn: () => void): number | null {
  const [leftSeconds, setLeft] = useState<number | null>(null)
  const giveBack = useEffectEvent(onReturn)
  useEffect(() => {
    if (!isActive) return undefined
    let touchedAtMs = Date.now()
    const touch = (): void => {
      touchedAtMs = Date.now()
      setLeft(null)
    }
    const timer = setInterval(() => {
      const leftMs = limitMs - (Date.now() - touchedAtMs)
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
  }, [isActive])
  return leftSeconds
}
