import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { EventItem, WallAnswer } from '@starside/contract/events.ts'
import { call } from '../api/call.ts'
import { useMessages } from '../ui/language.tsx'
import { useNow } from '../ui/use-elapsed.ts'
import { EventPage } from './event-page.tsx'
import { ScanCode } from './scan-code.tsx'

const wallPollIntervalMs = 10_000
/** How long each picture hangs there. */
const turnMs = 8_000

/** The pictures that may hang on the wall, one after the other, and the code to join. */
export function WallPage() {
  return <EventPage eventRole="wall">{(event) => <Wall event={event} />}</EventPage>
}

function Wall({ event }: { event: EventItem }) {
  const m = useMessages('events')
  const { data } = useQuery({
    queryKey: ['wall', event.name],
    queryFn: ({ signal }) =>
      call('GET /api/events/:event/wall', { params: { event: event.name }, signal }),
    refetchInterval: wallPollIntervalMs,
  })
  const pictures = useHangingPictures(data?.pictures)
  const [openedAtMs] = useState(() => Date.now())
  const turns = Math.floor((useNow(true) - openedAtMs) / turnMs)
  const turn = turns % pictures.length
  // All are loaded, but only what fades in and out is drawn.
  const last = (turn - 1 + pictures.length) % pictures.length
  const host = event.joinUrl.replace(/^https?:\/\//u, '')
  if (pictures.length === 0) {
    return (
      <div className="m-auto grid justify-items-center gap-6 p-6 text-center">
        <h1 className="display narrow text-[clamp(2.5rem,8vw,6rem)]">{event.title}</h1>
        <ScanCode url={event.joinUrl} label={m.scanToJoin} className="w-[min(60vw,55vh)]" />
        <p className="text-2xl font-semibold">{m.scanToJoin}</p>
        <p className="font-mono text-xl [overflow-wrap:anywhere]">{host}</p>
      </div>
    )
  }
  return (
    <div className="relative h-dvh overflow-hidden">
      <h1 className="sr-only">{event.title}</h1>
      {pictures.map(({ generationId, imageUrl }, index) => (
        <figure
          key={generationId}
          aria-hidden={index !== turn}
          className={`absolute inset-0 transition-opacity duration-[2500ms] ${index === turn ? '' : 'opacity-0'} ${index === turn || index === last ? '' : 'invisible'}`}
        >
          {/* What the picture leaves of the screen, in its own colours. */}
          <img
            src={imageUrl}
            alt=""
            className="absolute size-full scale-110 object-cover blur-3xl brightness-50"
          />
          <img
            src={imageUrl}
            alt={index === turn ? m.wallAlt : ''}
            className="absolute size-full object-contain"
          />
        </figure>
      ))}
      <div className="absolute right-4 bottom-4 grid w-[clamp(6rem,14vw,11rem)] gap-2 bg-film p-3 text-center">
        <ScanCode url={event.joinUrl} label={m.scanToJoin} className="w-full" />
        <p className="font-semibold">{m.scanToJoin}</p>
      </div>
    </div>
  )
}

/** What hangs there, each by its first address: a new one would be loaded anew, also when offline. */
function useHangingPictures(listed: WallAnswer['pictures'] = []): WallAnswer['pictures'] {
  const [addresses] = useState(() => new Map<string, string>())
  return listed.map((picture) => {
    const imageUrl = addresses.get(picture.generationId) ?? picture.imageUrl
    addresses.set(picture.generationId, imageUrl)
    return { ...picture, imageUrl }
  })
}
