import { useEffect, useEffectEvent } from 'react'

/** What is kept with the entry of the browser's history that the way back leads to first. */
const guard = { isGuard: true }

/** Asks before a guarded page is left: the browser at a reload or another address, `onBack` at the way back. */
export function useLeaveGuard(isGuarded: boolean, onBack: () => void): void {
  const back = useEffectEvent(onBack)
  useEffect(() => {
    if (!isGuarded) return
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    const stay = (): void => {
      history.pushState(guard, '')
      back()
    }
    history.pushState(guard, '')
    addEventListener('beforeunload', ask)
    addEventListener('popstate', stay)
    return () => {
      removeEventListener('beforeunload', ask)
      removeEventListener('popstate', stay)
      const state: unknown = history.state
      if (typeof state === 'object' && state !== null && 'isGuard' in state) history.back()
    }
  }, [isGuarded])
}
