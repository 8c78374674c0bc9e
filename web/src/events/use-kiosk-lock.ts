import { useEffect } from 'react'

/**
 * Leaves no way out of a kiosk's page: the way back leads to the page itself, no menu opens above it,
 * nothing can be dropped on it, and with the first touch it fills the screen, which stays on.
 */
export function useKioskLock(): void {
  useEffect(() => {
    const stay = (): void => history.pushState(null, '', location.pathname)
    const refuse = (event: Event): void => event.preventDefault()
    let wakeLock: Promise<WakeLockSentinel | undefined> | undefined
    const fillScreen = (): void => {
      if (history.length < 2) stay()
      if (document.fullscreenElement === null) {
        // A browser that refuses it shows the page as it can.
        document.documentElement.requestFullscreen?.().catch(() => undefined)
      }
      wakeLock ??= navigator.wakeLock?.request('screen').catch(() => undefined)
    }
    // A browser gives the screen's lock up with a page that is hidden.
    const forgetLock = (): void => {
      if (document.hidden) wakeLock = undefined
    }
    const refused = ['contextmenu', 'dragover', 'drop'] as const
    stay()
    addEventListener('popstate', stay)
    addEventListener('pointerdown', fillScreen)
    document.addEventListener('visibilitychange', forgetLock)
    for (const name of refused) addEventListener(name, refuse)
    return () => {
      removeEventListener('popstate', stay)
      removeEventListener('pointerdown', fillScreen)
      document.removeEventListener('visibilitychange', forgetLock)
      for (const name of refused) removeEventListener(name, refuse)
      void wakeLock?.then((lock) => lock?.release())
    }
  }, [])
}
