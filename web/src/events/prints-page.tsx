import { useState, useEffect, useEffectEvent, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { EventItem, PrintQueueAnswer } from '@starside/contract/events.ts'
import { fill } from '@starside/contract/fill.ts'
import { call } from '../api/call.ts'
import { FilmButton, ToggleButtons } from '../ui/button.tsx'
import { SmallError, useSubmission, Status } from '../ui/form.tsx'
import { takeWhenCome } from '../ui/take-when-come.ts'
import { useLanguage, useMessages, dateTimeText } from '../ui/language.tsx'
import { Answered, TeamPage, teamPollIntervalMs } from './event-page.tsx'
import { PictureList } from './picture-list.tsx'
import { createPortal } from 'react-dom'
import type { PrintFormat } from '@starside/contract/event-formats.ts'

type QueuedPrint = PrintQueueAnswer['prints'][number]

/** What guests have asked to be printed: an attendant prints it and hands it out. */
export function PrintsPage() {
  return <TeamPage eventRole="attendant">{(event) => <PrintQueue event={event} />}</TeamPage>
}

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
    refetchInterval: teamPollIntervalMs,
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
            <PictureList
              key={String(isDone)}
              label={m.printStates[isDone ? 'printed' : 'waiting']}
              pictures={prints.filter(({ printedAt }) => isDone === (printedAt !== null))}
              keyOf={({ printId }) => printId}
              altOf={() => ''}
            >
              {(print) => (
                <>
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
                </>
              )}
            </PictureList>
          ))}
          {sheet ? (
            <PrintSheet
              event={event}
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

interface PrintSheetProps {
  event: EventItem
  print: QueuedPrint
  /** Called once the browser's print dialog has closed. */
  onPrinted: () => void
}

/** The picture in the size of its paper (`print-sheet.css`); the print dialog opens once it is there. */
function PrintSheet({ event, print, onPrinted }: PrintSheetProps) {
  const versions = [print.imageUrl, ...print.furtherUrls]
  const sheet = useRef<HTMLDivElement>(null)
  const report = useEffectEvent(onPrinted)
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
      <p>{event.title}</p>
      {print.format === 'strip' ? <p>{event.title}</p> : null}
    </div>,
    document.body,
  )
}
