import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { EventItem } from '@starside/contract/events.ts'
import { call } from '../api/call.ts'
import { useMessages } from '../ui/language.tsx'
import { useNow } from '../ui/use-elapsed.ts'
import { EventPage } from './event-page.tsx'
import { ScanCode } from './scan-code.tsx'
import { StarPicture } from '../generation/star-picture.tsx'

const wallPollIntervalMs = 10_000
/** How long each picture hangs there. */
const turnMs = 8_000

/** The pictures that may hang on the wall, one after the other, and the code to join. */
export function WallPage() {
  return <EventPage eventRole="wall">{(event) => <Wall event={event} />}</EventPage>
}

function Wall({ event }: { event: EventItem }) {
  const m = useMessages('events')
  const { aiLabel } = useMessages('dashboard')
  const { data } = useQuery({
    queryKey: ['wall', event.name],
    queryFn: ({ signal }) =>
      call('GET /api/events/:event/wall', { params: { event: event.name }, signal }),
    refetchInterval: wallPollIntervalMs,
  })
  const pictures = data?.pictures ?? []
  const [openedAtMs] = useState(() => Date.now())
  const turn = Math.floor((useNow(true) - openedAtMs) / turnMs) % pictures.length
  // All are loaded, but only what fades in and out is drawn.
  const last = (turn - 1 + pictures.length) % pictures.length
  const host = event.joinUrl.replace(/^https?:\/\//u, '')
  if (pictures.length === 0) {
    return (
      <div className="m-auto grid items-center gap-x-[6vw] gap-y-6 p-6 text-center landscape:grid-cols-[auto_auto]">
        <div className="grid justify-items-center gap-6">
          <h1 className="display narrow text-[clamp(2.5rem,6vw,7rem)] [overflow-wrap:anywhere]">
            {event.title}
          </h1>
          <ul
            aria-label={m.stars}
            className="flex max-w-[min(50vw,75vh)] flex-wrap justify-center gap-[1vw] *:w-[30%] *:bg-bone *:p-[0.4vw] *:odd:-rotate-2 *:even:rotate-2 portrait:max-w-[min(90vw,40vh)]"
          >
            {event.stars.slice(0, 6).map((star) => (
              <li key={star.id}>
                <StarPicture star={star} alt={star.name} />
              </li>
            ))}
          </ul>
          <p className="text-[clamp(1.25rem,2vw,2.5rem)]">{m.lead}</p>
        </div>
        <div className="grid justify-items-center gap-4">
          <ScanCode
            url={event.joinUrl}
            label={m.scanToJoin}
            className="w-[min(36vw,55vh)] portrait:w-[min(60vw,30vh)]"
          />
          <p className="text-[clamp(1.5rem,2.4vw,3rem)] font-semibold">{m.scanToJoin}</p>
          <p className="font-mono text-xl [overflow-wrap:anywhere]">{host}</p>
        </div>
      </div>
    )
  }
  return (
    <div className="relative h-dvh overflow-hidden">
      {pictures.map(({ imageUrl }, index) => (
        <figure
          // Another version of a selfie has another path; what is signed anew stands behind it.
          key={imageUrl.split('?')[0]}
          aria-hidden={index !== turn}
          className={`absolute inset-0 transition-opacity duration-[2500ms] ${index === turn ? '' : 'opacity-0'} ${index === turn || index === last ? '' : 'invisible'}`}
        >
          <HangingPicture imageUrl={imageUrl} alt={index === turn ? m.wallAlt : ''} />
          <figcaption className="absolute top-4 left-4 bg-film px-3 py-1">{aiLabel}</figcaption>
        </figure>
      ))}
      <div className="absolute inset-x-[1.5vw] bottom-[1.5vw] flex items-end justify-between gap-6">
        <h1 className="display narrow max-w-[26vw] min-w-0 text-[clamp(1.5rem,4.5vw,7rem)] [overflow-wrap:anywhere] [text-shadow:0_0_0.4em_#000] portrait:max-w-none">
          {event.title}
        </h1>
        <div className="grid w-[clamp(7rem,13vw,24rem)] shrink-0 gap-2 bg-film p-3 text-center">
          <ScanCode url={event.joinUrl} label={m.scanToJoin} className="w-full" />
          <p className="text-[clamp(1rem,1.4vw,2.5rem)] font-semibold">{m.scanToJoin}</p>
        </div>
      </div>
    </div>
  )
}

/** A picture by its first address: a new one would be loaded anew, also when offline. */
function HangingPicture({ imageUrl, alt }: { imageUrl: string; alt: string }) {
  const [first] = useState(imageUrl)
  return (
    <>
      {/* What the picture leaves of the screen, in its own colours. */}
      <img
        src={first}
        alt=""
        className="absolute size-full scale-110 object-cover blur-3xl brightness-50"
      />
      <img src={first} alt={alt} className="absolute size-full object-contain" />
    </>
  )
}
