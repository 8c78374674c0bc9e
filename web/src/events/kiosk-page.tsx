import { useState, useEffect, useEffectEvent } from 'react'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { storageKeys } from '@starside/contract/api.ts'
import type { EventItem } from '@starside/contract/events.ts'
import { fill } from '@starside/contract/fill.ts'
import { call } from '../api/call.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { createEventQueries, EventPage, Sentence } from './event-page.tsx'
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
  const [isWaiting, setWaiting] = useState(false)
  const known = guest.query.data
  const leftSeconds = useIdleReturn(hasJoined && !isWaiting, onEnd)
  if (!isEmpty) return <Sentence>{m.preparing}</Sentence>
  if (!hasJoined || !known) {
    const join = async (consentVersion: string): Promise<void> => {
      await guest.join(consentVersion, true)
      setJoined(true)
    }
    return <Welcome event={event} isAtKiosk onJoin={join} />
  }
  return (
    <>
      <KioskBooth event={event} known={known} guest={guest} onWait={setWaiting} onEnd={onEnd} />
      <p
        role="status"
        className="fixed inset-x-0 bottom-0 z-40 bg-amber p-4 text-center text-2xl font-semibold text-[#15110f] empty:hidden"
      >
        {leftSeconds === null ? '' : fill(m.returning, { seconds: leftSeconds })}
      </p>
    </>
  )
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

/** After so long without a touch or a key it returns, and tells the seconds for the last part of it. */
const limitMs = 40_000
const warnMs = 10_000
const looksEveryMs = 250
const signsOfLife = ['pointerdown', 'keydown'] as const

/** Calls `onReturn` after forty seconds without touch or key; gives the last ten, else null. */
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

/** Leaves no way out: not back, by menus or drops; the first touch fills the screen, which stays on. */
function useKioskLock(): void {
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
