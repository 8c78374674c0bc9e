import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { onlineManager, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { EventRole } from '@starside/contract/event-formats.ts'
import type { EventItem } from '@starside/contract/events.ts'
import { eventOfPath } from '@starside/contract/pages.ts'
import { call, ApiError } from '../api/call.ts'
import { MainButton } from '../ui/button.tsx'
import { OwnTexts, useLanguage, useMessages, useErrorSentence } from '../ui/language.tsx'
import { useLocation } from '../ui/router.tsx'
import '../ui/dashboard.css'
import './events.css'

/** How often a page asks whether its event has begun or ended, and what became of a guest's wishes. */
export const eventPollIntervalMs = 15_000

export interface EventPageProps {
  /** For whom alone it opens, by an operator's link; without it, it opens for everybody. */
  eventRole?: EventRole
  children: (event: EventItem) => ReactNode
}

/** Each page of an event: without any way to the rest of the site, and in words for guests. */
export function EventPage(props: EventPageProps) {
  const { eventRole } = props
  const [queryClient] = useState(createEventQueries)
  const { instead, atKiosk } = useMessages('events')
  const errors = eventRole === 'kiosk' ? { ...instead.errors, ...atKiosk } : instead.errors
  return (
    <QueryClientProvider client={queryClient}>
      <OwnTexts value={{ ...instead, errors }}>
        <main
          id="main"
          className={`on-film flex min-h-dvh flex-col bg-film text-bone ${eventRole ?? ''}`}
        >
          <KnownEvent {...props} />
        </main>
      </OwnTexts>
    </QueryClientProvider>
  )
}

/** Nothing is asked twice for a failure: whatever matters is asked for again by its own interval. */
export function createEventQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { retry: false, networkMode: 'always', staleTime: 5_000 } },
  })
}

function KnownEvent({ eventRole: role, children }: EventPageProps) {
  const m = useMessages('events')
  const name = eventOfPath(useLocation().pathname) ?? ''
  const query = useQuery({
    queryKey: ['event', name],
    queryFn: async ({ signal }) => {
      if (role) await openByLink(name, role)
      return call('GET /api/events/:event', { params: { event: name }, signal })
    },
    refetchInterval: eventPollIntervalMs,
  })
  useTitleAndLanguage(query.data?.event)
  const isLost = useIsLost(query.error)
  return (
    <>
      <p
        role="status"
        className="sticky top-0 z-40 bg-amber px-4 py-2 text-center font-semibold text-[#15110f] empty:hidden"
      >
        {isLost ? m.offline : ''}
      </p>
      <Answered query={query}>
        {({ event, roles }) =>
          role && !roles.includes(role) ? <Sentence>{m.needLink}</Sentence> : children(event)
        }
      </Answered>
    </>
  )
}

/** Opens the page of a role by an operator's link, whose key leaves the address once the server has taken it. */
async function openByLink(event: string, role: EventRole): Promise<void> {
  const key = readFragment('key')
  if (key === null) return
  try {
    await call('POST /api/events/:event/open', { params: { event }, body: { role, key } })
  } catch (error) {
    // A link that was used up counts as none: its browser may be known by it already.
    if (!(error instanceof ApiError && error.code === 'event_link_unknown')) throw error
  }
  forgetFragment()
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
    if (own) setLanguage(own, false).catch(() => undefined)
  }, [own, setLanguage])
}

interface AnsweredProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  children: (data: Data) => ReactNode
}

/** What a question was answered; before that, that it is being asked, or why there is no answer. */
export function Answered<Data>({ query, children }: AnsweredProps<Data>): ReactNode {
  const m = useMessages('events')
  const sentenceOf = useErrorSentence()
  if (query.data !== undefined) return children(query.data)
  if (query.error === null) return <Sentence>{m.loading}</Sentence>
  return (
    <Sentence buttons={<MainButton onClick={() => void query.refetch()}>{m.retry}</MainButton>}>
      {sentenceOf(query.error, m.failed)}
    </Sentence>
  )
}

/** What a page says in the place of everything else; what is in the way has buttons below it. */
export function Sentence({ children, buttons }: { children: string; buttons?: ReactNode }) {
  return (
    <div
      role={buttons ? 'alert' : 'status'}
      className="m-auto grid max-w-md justify-items-start gap-5 p-6"
    >
      <p className="text-xl font-semibold">{children}</p>
      {buttons}
    </div>
  )
}

/** A value behind the `#` of the address, as in `#key=…`; null where there is none. */
export function readFragment(name: 'key' | 'take'): string | null {
  return new URLSearchParams(location.hash.slice(1)).get(name)
}

/** Takes what stands behind the `#` out of the address and the browser's history. */
export function forgetFragment(): void {
  history.replaceState(null, '', location.pathname)
}
