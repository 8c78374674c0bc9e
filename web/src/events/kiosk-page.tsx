import { useState, useEffect, useRef } from 'react'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { storageKeys } from '@starside/contract/api.ts'
import type { EventItem } from '@starside/contract/events.ts'
import { call } from '../api/call.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { createEventQueries, EventPage, Sentence } from './event-page.tsx'
import { useListener } from '../ui/use-listener.ts'
import { KioskBooth } from './kiosk-booth.tsx'
import { useGuest } from './use-guest.ts'
import { Welcome } from './welcome.tsx'

/** A screen that stands at an event: whoever comes makes a picture in three touches. */
export function KioskPage() {
  return <EventPage eventRole="kiosk">{(event) => <Kiosk event={event} />}</EventPage>
}

/** One guest after the other: everything of one is gone before the next one begins. */
function Kiosk({ event }: { event: EventItem }) {
  useKioskLock()
  const [visit, setVisit] = useState(() => ({ number: 0, queries: createEventQueries() }))
  const begin = (): void =>
    setVisit(({ number, queries }) => {
      queries.clear()
      return { number: number + 1, queries: createEventQueries() }
    })
  return (
    <QueryClientProvider key={visit.number} client={visit.queries}>
      <Visit event={event} onEnd={begin} />
    </QueryClientProvider>
  )
}

function Visit({ event, onEnd }: { event: EventItem; onEnd: () => void }) {
  const m = useMessages('events')
  const isEmpty = useEmptyKiosk(event)
  const [hasJoined, setJoined] = useState(false)
  const guest = useGuest(event.name, { isEnabled: hasJoined })
  const known = guest.query.data
  if (!isEmpty) return <Sentence>{m.preparing}</Sentence>
  if (!hasJoined || !known) {
    const join = async (consentVersion: string): Promise<void> => {
      await guest.join(consentVersion, true)
      setJoined(true)
    }
    return <Welcome event={event} isAtKiosk onJoin={join} />
  }
  return <KioskBooth event={event} known={known} guest={guest} onEnd={onEnd} />
}

const retryDelayMs = 2_000

/** Takes everything of the last guest off the device, and ends their session; true once that is done. */
function useEmptyKiosk({ name, languages: [language] }: EventItem): boolean {
  const { setLanguage } = useLanguage()
  const { isSuccess } = useQuery({
    queryKey: ['leave'],
    queryFn: async () => {
      sessionStorage.clear()
      for (const key of [storageKeys.generatedImage, storageKeys.runningGeneration]) {
        localStorage.removeItem(key)
      }
      if (language) await setLanguage(language).catch(() => undefined)
      return await call('POST /api/events/:event/leave', { params: { event: name } })
    },
    retry: true,
    retryDelay: retryDelayMs,
    staleTime: Infinity,
  })
  return isSuccess
}

/** Leaves no way out: not back, by menus or drops; the first touch fills the screen, which stays on. */
function useKioskLock(): void {
  const wakeLock = useRef<WakeLockSentinel>(null)
  const stay = (): void => history.pushState(null, '', location.pathname)
  const refuse = (event: Event): void => event.preventDefault()
  useListener('popstate', stay)
  useListener('contextmenu', refuse)
  useListener('dragover', refuse)
  useListener('drop', refuse)
  useListener('pointerdown', () => {
    if (history.length < 2) stay()
    // A browser that refuses it shows the page as it can.
    if (document.fullscreenElement === null) {
      document.documentElement.requestFullscreen?.().catch(() => undefined)
    }
    // A browser gives the screen's lock up with a page that is hidden.
    if (wakeLock.current?.released === false) return
    const keep = (lock: WakeLockSentinel): void => void (wakeLock.current = lock)
    navigator.wakeLock?.request('screen').then(keep, () => undefined)
  })
  useEffect(() => {
    history.pushState(null, '', location.pathname)
    return () => void wakeLock.current?.release()
  }, [])
}
