import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { onlineManager, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import type { EventItem } from '@starside/contract/events.ts'
import { eventOfPath } from '@starside/contract/pages.ts'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { useLocation } from '../ui/router.tsx'
import '../ui/dashboard.css'
import './print-sheet.css'

/** How often a page asks whether its event has begun or ended, and what became of a guest's wishes. */
export const eventPollIntervalMs = 15_000

/** What each page of an event shows, once the event is known; without any way to the rest of the site. */
export function EventPage({ children }: { children: (event: EventItem) => ReactNode }) {
  const [queryClient] = useState(createEventQueries)
  return (
    <QueryClientProvider client={queryClient}>
      <main id="main" className="on-film flex min-h-dvh flex-col bg-film text-bone">
        <KnownEvent>{children}</KnownEvent>
      </main>
    </QueryClientProvider>
  )
}

/** Nothing is asked twice for a failure: whatever matters is asked for again by its own interval. */
export function createEventQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { retry: false, networkMode: 'always', staleTime: 5_000 } },
  })
}

function KnownEvent({ children }: { children: (event: EventItem) => ReactNode }) {
  const m = useMessages('events')
  const name = eventOfPath(useLocation().pathname) ?? ''
  const query = useQuery({
    queryKey: ['event', name],
    queryFn: ({ signal }) => call('GET /api/events/:event', { params: { event: name }, signal }),
    refetchInterval: eventPollIntervalMs,
  })
  const event = query.data?.event
  useTitleAndLanguage(event)
  const isLost = useIsLost(query.error)
  return (
    <>
      <p
        role="status"
        className="sticky top-0 z-40 bg-amber px-4 py-2 text-center font-semibold text-[#15110f] empty:hidden"
      >
        {isLost ? m.offline : ''}
      </p>
      {event ? (
        children(event)
      ) : (
        <Unready error={query.error} onRetry={() => void query.refetch()} />
      )}
    </>
  )
}

/** True while the browser has no connection, or the last question did not get through. */
function useIsLost(error: Error | null): boolean {
  const isOnline = useSyncExternalStore(
    (onChange) => onlineManager.subscribe(onChange),
    () => onlineManager.isOnline(),
  )
  return !isOnline || (error instanceof ApiError && error.status === 0)
}

/** Names the tab, and speaks one of the event's languages. */
function useTitleAndLanguage(event: EventItem | undefined): void {
  const { language, setLanguage } = useLanguage()
  const title = event?.title
  useEffect(() => {
    if (title !== undefined) document.title = title
  }, [title])
  const own = event && !event.languages.includes(language) ? event.languages[0] : undefined
  useEffect(() => {
    // Texts that don't come are asked for again with the next page.
    if (own) setLanguage(own).catch(() => undefined)
  }, [own, setLanguage])
}

/** What stands in for something that is being asked for, or could not be had. */
export function Unready({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const m = useMessages('events')
  const sentenceOf = useErrorSentence()
  if (error === null) {
    return (
      <p role="status" className="m-auto p-6 text-xl">
        {m.loading}
      </p>
    )
  }
  return (
    <div role="alert" className="m-auto grid max-w-md gap-5 p-6">
      <p className="text-xl font-semibold">{sentenceOf(error, m.failed)}</p>
      <button type="button" className="button button-main justify-self-start" onClick={onRetry}>
        {m.retry}
      </button>
    </div>
  )
}
