import type { EventItem } from '@starside/contract/events.ts'
import { fill } from '@starside/contract/fill.ts'
import { languageNames } from '@starside/contract/languages.ts'
import { Form, SmallError, useSubmission } from '../ui/form.tsx'
import { PhotoRecipients } from '../generation/privacy-note.tsx'
import { StarPicture } from '../generation/star-picture.tsx'
import { dateTimeText, momentText, useLanguage, useMessages } from '../ui/language.tsx'
import { LegalLinks } from '../ui/legal-links.tsx'
import { ToggleButtons, MainButton } from '../ui/button.tsx'

/** Why nobody can join an event just now; null where they can. */
export function useClosedSentence({ state, startsAt, hasCredits }: EventItem): string | null {
  const m = useMessages('events')
  const { language } = useLanguage()
  if (state === 'upcoming') return fill(m.upcoming, { date: momentText(startsAt, language) })
  if (state === 'over') return m.over
  return hasCredits ? null : m.creditsUsed
}

/** When everything of the guests is deleted. */
export function DeletionNote({ event: { deletedAt } }: { event: EventItem }) {
  const m = useMessages('events')
  const { language } = useLanguage()
  const date = dateTimeText(deletedAt, language, { dateStyle: 'long' })
  return <p className="text-ash">{fill(m.deletedOn, { date })}</p>
}

/** What an event is called, and the choice among its languages where it has several. */
export function EventTitle({ event }: { event: EventItem }) {
  const { language, setLanguage } = useLanguage()
  const m = useMessages('events')
  return (
    <header className="flex flex-wrap items-start justify-between gap-4">
      <h1 className="display narrow min-w-0 text-[clamp(2.25rem,9vw,4.5rem)] [overflow-wrap:anywhere]">
        {event.title}
      </h1>
      {event.languages.length > 1 ? (
        <ToggleButtons
          label={m.language}
          value={language}
          options={event.languages}
          nameOf={(one) => languageNames[one].name}
          languageOf={(one) => languageNames[one].tag}
          // A language that does not come leaves the one that is there.
          onChange={(one) => void setLanguage(one).catch(() => undefined)}
        />
      ) : null}
    </header>
  )
}

interface WelcomeProps {
  event: EventItem
  /** Joins with the words of this version; throws what the call throws. */
  onJoin: (consentVersion: string) => Promise<void>
  /** At a kiosk the button itself says yes to the words above it. */
  isAtKiosk?: boolean
}

/** The first page of an event: whom there is to meet, the words of consent, and one button. */
export function Welcome({ event, onJoin, isAtKiosk = false }: WelcomeProps) {
  const m = useMessages('events')
  const { language } = useLanguage()
  const { busy, error, submit } = useSubmission(m.failed)
  const { version, words } = event.consent
  const closed = useClosedSentence(event)
  return (
    <div
      className={`page-width grid flex-1 content-center gap-6 py-6 ${isAtKiosk ? 'max-w-5xl' : 'max-w-3xl'}`}
    >
      <EventTitle event={event} />
      <ul
        aria-label={m.stars}
        className={isAtKiosk ? 'grid grid-cols-6 gap-3 portrait:grid-cols-3' : 'flex gap-2'}
      >
        {event.stars.slice(0, isAtKiosk ? 6 : 5).map((star) => (
          <li key={star.id} className={isAtKiosk ? '' : 'w-full max-w-36'}>
            <StarPicture small star={star} alt={star.name} />
          </li>
        ))}
      </ul>
      {closed === null ? (
        <Form className="grid gap-6" onSubmit={() => void submit(() => onJoin(version))}>
          <p className="text-xl">{m.lead}</p>
          <div className="grid gap-3 border-l-[10px] border-amber py-1 pl-4">
            <p className="whitespace-pre-line">{words[language] ?? words[event.languages[0]!]}</p>
            <PhotoRecipients />
            <DeletionNote event={event} />
            {isAtKiosk ? null : (
              <label className="flex min-h-11 cursor-pointer items-center gap-3 font-semibold">
                <input type="checkbox" required className="size-6 accent-amber" />
                {m.agree}
              </label>
            )}
          </div>
          <SmallError>{error}</SmallError>
          <MainButton type="submit" className="min-h-16 text-2xl" aria-disabled={busy}>
            {isAtKiosk ? m.agreeAndStart : m.start}
          </MainButton>
        </Form>
      ) : (
        <p role="status" className="text-2xl font-semibold">
          {closed}
        </p>
      )}
      {isAtKiosk ? null : <LegalLinks />}
    </div>
  )
}
