import { useState } from 'react'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { storageKeys } from '@starside/contract/api.ts'
import type { EventItem } from '@starside/contract/events.ts'
import { fill } from '@starside/contract/fill.ts'
import { call } from '../api/call.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { createEventQueries, EventPage, Sentence } from './event-page.tsx'
import { KioskBooth } from './kiosk-booth.tsx'
import { useGuest } from './use-guest.ts'
import { useIdleReturn } from './use-idle-return.ts'
import { useKioskLock } from './use-kiosk-lock.ts'
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

/** How long it waits before it tries again to end the last guest's session. */
const retryDelayMs = 2_000

/**
 * Takes everything of the last guest off the device, also of one whom a reload cut off: what the
 * browser stores, and the session, which the server ends. True once that is done.
 */
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
