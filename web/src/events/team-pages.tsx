import { useState, useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { createPortal } from 'react-dom'
import type { PrintFormat } from '@starside/contract/event-formats.ts'
import type { EventItem, ModerationAnswer, PrintQueueAnswer } from '@starside/contract/events.ts'
import { fill } from '@starside/contract/fill.ts'
import { call } from '../api/call.ts'
import { FilmButton, ToggleButtons } from '../ui/button.tsx'
import { SmallError, useSubmission, Status } from '../ui/form.tsx'
import { useLanguage, useMessages, dateTimeText } from '../ui/language.tsx'
import { LoadMoreButton, usePages } from '../ui/query-state.tsx'
import { takeWhenCome } from '../ui/take-when-come.ts'
import { Answered, EventPage, type EventPageProps } from './event-page.tsx'
import { EventTitle } from './welcome.tsx'

/** How often the team's pages ask what guests wish for. */
const pollIntervalMs = 5_000

/** What guests would like on the wall: on a phone, a moderator approves or hides it. */
export function ModerationPage() {
  return <TeamPage eventRole="moderator">{({ name }) => <AskedPictures event={name} />}</TeamPage>
}

/** What guests have asked to be printed: an attendant prints it and hands it out. */
export function PrintsPage() {
  return <TeamPage eventRole="attendant">{(event) => <PrintQueue event={event} />}</TeamPage>
}

function TeamPage({ children, ...page }: EventPageProps) {
  return (
    <EventPage {...page}>
      {(event) => (
        <div className="page-width grid gap-5 py-5">
          <EventTitle event={event} />
          {children(event)}
        </div>
      )}
    </EventPage>
  )
}

/** Pictures of guests side by side; nothing where there are none. */
function PictureList({ label, children }: { label: string; children: ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <section aria-label={label} className="grid gap-3">
      <h2 className="text-xl font-semibold">{label}</h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-6 *:grid *:content-start *:gap-2">
        {children}
      </ul>
    </section>
  )
}

function ListedPicture(props: { of: AskedPicture | QueuedPrint; alt: string }) {
  const { imageUrl: src, widthPx: width, heightPx: height } = props.of
  const picture = { src, width, height, loading: 'lazy' as const }
  return <img {...picture} alt={props.alt} className="block h-auto w-full" />
}

type AskedPicture = ModerationAnswer['pictures'][number]
const verdicts = ['asked', 'approved', 'hidden'] as const

function AskedPictures({ event }: { event: string }) {
  const m = useMessages('events')
  const { language } = useLanguage()
  const { error, submit } = useSubmission(m.failed)
  const path = 'GET /api/events/:event/moderation'
  const query = usePages(
    ['moderation', event],
    (cursor, signal) => call(path, { params: { event }, query: { cursor }, signal }),
    { refetchInterval: pollIntervalMs },
  )
  const judge = ({ generationId, askedAt }: AskedPicture, wall: (typeof verdicts)[number]) =>
    submit(async () => {
      const params = { event, generationId }
      const body = { wall, askedAt }
      await call('PUT /api/events/:event/moderation/:generationId', { params, body })
      // The next verdict does not wait for the list.
      void query.refetch()
    })
  return (
    <Answered query={query}>
      {({ pages }) => (
        <>
          <SmallError>{error}</SmallError>
          {pages[0]?.pictures.length === 0 ? <p className="text-xl">{m.nothingAsked}</p> : null}
          <PictureList label={m.askedList}>
            {pages.flatMap(({ pictures }) =>
              pictures.map((picture) => (
                <li key={picture.generationId}>
                  <ListedPicture of={picture} alt={m.askedAlt} />
                  <p className="edge-print text-ash">{dateTimeText(picture.askedAt, language)}</p>
                  <ToggleButtons
                    label={m.verdict}
                    value={verdicts.find((verdict) => verdict === picture.wall) ?? null}
                    options={verdicts}
                    nameOf={(verdict) => m.verdicts[verdict]}
                    onChange={(verdict) => void judge(picture, verdict)}
                  />
                </li>
              )),
            )}
          </PictureList>
          <LoadMoreButton className="button-film" query={query} />
        </>
      )}
    </Answered>
  )
}

type QueuedPrint = PrintQueueAnswer['prints'][number]

function PrintQueue({ event }: { event: EventItem }) {
  const m = useMessages('events')
  const { language } = useLanguage()
  const { error, submit } = useSubmission(m.failed)
  const [marked, setMarked] = useState('')
  const [sheet, setSheet] = useState<QueuedPrint | null>(null)
  const query = useQuery({
    queryKey: ['prints', event.name],
    queryFn: ({ signal }) =>
      call('GET /api/events/:event/prints', { params: { event: event.name }, signal }),
    refetchInterval: pollIntervalMs,
  })
  const mark = ({ printId, number }: QueuedPrint, isPrinted: boolean) =>
    submit(async () => {
      const params = { event: event.name, printId }
      await call('PUT /api/events/:event/prints/:printId', { params, body: { isPrinted } })
      await query.refetch()
      setMarked(fill(isPrinted ? m.markedPrinted : m.markedWaiting, { number }))
    })
  return (
    <Answered query={query}>
      {({ prints }) => (
        <>
          <p className="text-ash">{m.printHint}</p>
          <SmallError>{error}</SmallError>
          <Status className="font-semibold">{marked}</Status>
          {prints.some(({ printedAt }) => printedAt === null) ? null : (
            <p className="text-xl">{m.nothingToPrint}</p>
          )}
          {[false, true].map((isDone) => (
            <PictureList key={String(isDone)} label={m.printStates[isDone ? 'printed' : 'waiting']}>
              {prints
                .filter(({ printedAt }) => isDone === (printedAt !== null))
                .map((print) => (
                  <li key={print.printId}>
                    <ListedPicture of={print} alt="" />
                    <p className="display narrow text-3xl">{print.number}</p>
                    <p>{m.printFormats[print.format]}</p>
                    <p className="edge-print text-ash">{dateTimeText(print.createdAt, language)}</p>
                    <FilmButton
                      aria-label={fill(m.printNumber, { number: print.number })}
                      className="min-h-14"
                      onClick={() => setSheet(print)}
                    >
                      {isDone ? m.printAgain : m.print}
                    </FilmButton>
                    <ToggleButtons
                      label={fill(m.printState, { number: print.number })}
                      value={isDone ? 'printed' : 'waiting'}
                      options={['waiting', 'printed']}
                      nameOf={(state) => m.printStates[state]}
                      onChange={(state) => void mark(print, state === 'printed')}
                    />
                  </li>
                ))}
            </PictureList>
          ))}
          {sheet ? (
            <PrintSheet
              title={event.title}
              print={sheet}
              onPrinted={() => {
                setSheet(null)
                void mark(sheet, true)
              }}
            />
          ) : null}
        </>
      )}
    </Answered>
  )
}

/** How many pictures are on a sheet: a strip has four, and two strips are cut out of one sheet. */
const cells: Record<PrintFormat, number> = { '10x15': 1, strip: 8, square: 1 }

/** The picture in the size of its paper (`events.css`); the browser's dialog opens once it is there. */
function PrintSheet(props: { title: string; print: QueuedPrint; onPrinted: () => void }) {
  const { title, print } = props
  const versions = [print.imageUrl, ...print.furtherUrls]
  const sheet = useRef<HTMLDivElement>(null)
  const report = useEffectEvent(props.onPrinted)
  useEffect(() => {
    const pictures = [...(sheet.current?.querySelectorAll('img') ?? [])]
    const decoding = Promise.allSettled(pictures.map((picture) => picture.decode()))
    return takeWhenCome(decoding, () => {
      window.print()
      report()
    })
  }, [])
  return createPortal(
    <div ref={sheet} className={`print-sheet print-${print.format}`} aria-hidden="true">
      {Array.from({ length: cells[print.format] }, (_, index) => (
        <div key={index} className="print-cell">
          {/* Side by side on both strips, so that each has all versions. */}
          <img src={versions[Math.floor(index / 2) % versions.length]} alt="" />
        </div>
      ))}
      <p>{title}</p>
      {print.format === 'strip' ? <p>{title}</p> : null}
    </div>,
    document.body,
  )
}
