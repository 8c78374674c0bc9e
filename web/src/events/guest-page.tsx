import { useState } from 'react'
import type { EventItem } from '@starside/contract/events.ts'
import { fill, formatMessage } from '@starside/contract/fill.ts'
import { FilmButton } from '../generation/film-button.tsx'
import { useGenerator } from '../generation/use-generator.ts'
import { dateTimeText } from '../ui/date-text.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { LegalLinks } from '../ui/legal-links.tsx'
import { EventPage, Unready } from './event-page.tsx'
import { GuestPicture } from './guest-picture.tsx'
import { KeepForm } from './keep-form.tsx'
import { closedSentence, EventTitle, Welcome } from './welcome.tsx'
import { SelfieForm } from './selfie-form.tsx'
import { useGuest, type Guest } from './use-guest.ts'

/** An event on a guest's phone: consent, photo, star, picture, and what is done with it. */
export function GuestPage() {
  return <EventPage>{(event) => <GuestOf event={event} />}</EventPage>
}

function GuestOf({ event }: { event: EventItem }) {
  const guest = useGuest(event.name)
  const { data, error, refetch } = guest.query
  if (data === undefined) return <Unready error={error} onRetry={() => void refetch()} />
  if (data === null) return <Welcome event={event} onJoin={guest.join} />
  return <Booth event={event} known={data} guest={guest} />
}

interface BoothProps {
  event: EventItem
  known: Guest
  guest: ReturnType<typeof useGuest>
}

function Booth({ event, known, guest }: BoothProps) {
  const m = useMessages('events')
  const { language } = useLanguage()
  const { selfies, selfiesLeft } = known
  /** The selfie that is looked at; null while another one is made. */
  const [shownId, setShownId] = useState(selfies[0]?.generation.generationId ?? null)
  const generator = useGenerator({
    verifyCredits: () => Promise.resolve(true),
    onComplete: (isMade) => {
      const item = isMade ? generator.picture?.item : null
      if (item) {
        guest.changeSelfie(item)
        setShownId(item.generationId)
      }
      void guest.query.refetch()
    },
  })
  const finished = selfies.filter(({ generation }) => generation.imageUrl !== null)
  const shown = finished.find(({ generation }) => generation.generationId === shownId)
  const closed = closedSentence(event, m, language)
  const canMake = selfiesLeft > 0 && closed === null
  return (
    <div className="page-width grid gap-8 py-5 pb-16">
      <EventTitle event={event} />
      {shown && !generator.busy ? (
        <GuestPicture
          key={shownId}
          event={event}
          selfie={shown}
          isFresh={
            generator.picture?.fresh === true && generator.picture.item?.generationId === shownId
          }
          onItem={guest.changeSelfie}
          onGuest={guest.take}
        >
          {canMake ? (
            <FilmButton onClick={() => setShownId(null)}>
              {formatMessage(m.another, { count: selfiesLeft }, language)}
            </FilmButton>
          ) : null}
        </GuestPicture>
      ) : canMake || generator.busy ? (
        <SelfieForm event={event} generator={generator} />
      ) : (
        <p role="status" className="text-xl font-semibold">
          {closed ?? m.noneLeft}
        </p>
      )}
      {finished.length > (shown ? 1 : 0) ? (
        <section aria-labelledby="my-selfies">
          <h2 id="my-selfies" className="mb-2 font-semibold">
            {m.mine}
          </h2>
          <ul className="grid grid-cols-4 gap-2 sm:grid-cols-6 lg:grid-cols-10">
            {finished.map(({ generation }, index) => (
              <li key={generation.generationId}>
                <button
                  type="button"
                  aria-label={fill(m.showOne, { number: finished.length - index })}
                  aria-current={generation.generationId === shownId}
                  className="block w-full outline-amber aria-[current=true]:outline-3"
                  onClick={() => setShownId(generation.generationId)}
                >
                  <img
                    src={generation.thumbnailUrl ?? ''}
                    alt=""
                    className="aspect-4/5 w-full object-cover"
                  />
                </button>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <footer className="grid max-w-xl gap-3 border-t border-ash/45 pt-5">
        {finished.length > 0 ? <KeepForm event={event.name} /> : null}
        <p className="text-ash">
          {fill(m.deletedOn, { date: dateTimeText(event.deletedAt, language) })}
        </p>
        <LegalLinks />
      </footer>
    </div>
  )
}
