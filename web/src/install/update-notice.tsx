import { useEffect, useState } from 'react'
import { useMessages } from '../ui/language.tsx'
import { Button, MainButton } from '../ui/button.tsx'

/** How often a page that stays open asks for a newer version, when somebody comes back to it. */
const askAgainMs = 60 * 60_000

/** Says that a newer version of the app is there, and loads it when asked to. */
export function UpdateNotice() {
  const m = useMessages('dashboard')
  const activate = useWaitingVersion()
  const [isLater, setLater] = useState(false)
  return (
    <div role="status" className="fixed inset-x-0 top-0 z-40">
      {activate && !isLater ? (
        <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-b-2 border-ink bg-paper px-4 py-2">
          <p className="font-semibold">{m.newVersion}</p>
          <div className="flex gap-2">
            <MainButton onClick={activate}>{m.loadVersion}</MainButton>
            <Button onClick={() => setLater(true)}>{m.notNow}</Button>
          </div>
        </div>
      ) : null}
    </div>
  )
}

/** The way to a newer version that waits: it takes over in all tabs, and this page is loaded anew. */
function useWaitingVersion(): (() => void) | null {
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
