import { useEffect, useState } from 'react'

/** How often a page that stays open asks for a newer version, when somebody comes back to it. */
const askAgainMs = 60 * 60_000

/**
 * The way to a newer version that is loaded and waits: it takes over in all tabs, and this page is
 * loaded anew. Null while there is none.
 */
export function useWaitingVersion(): (() => void) | null {
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null)
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return
    const end = new AbortController()
    const { signal } = end
    void navigator.serviceWorker.ready.then((registration) => {
      if (signal.aborted) return
      const look = (): void => {
        // Without a controller the one that waits is the first ever: nothing is newer.
        setWaiting(navigator.serviceWorker.controller ? registration.waiting : null)
      }
      const follow = (): void => {
        registration.installing?.addEventListener('statechange', look, { signal })
      }
      let askedAtMs = Date.now()
      const ask = (): void => {
        if (document.hidden || Date.now() - askedAtMs < askAgainMs) return
        askedAtMs = Date.now()
        registration.update().catch(() => undefined)
      }
      look()
      follow()
      registration.addEventListener('updatefound', follow, { signal })
      document.addEventListener('visibilitychange', ask, { signal })
    })
    return () => end.abort()
  }, [])
  if (waiting === null) return null
  return () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
      once: true,
    })
    waiting.postMessage('activate')
  }
}
