import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { EventItem, PrintQueueAnswer } from '@starside/contract/events.ts'
import { fill } from '@starside/contract/fill.ts'
import { call } from '../api/call.ts'
import { FilmButton } from '../generation/film-button.tsx'
import { dateTimeText } from '../ui/date-text.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { EventPage, Unready } from './event-page.tsx'
import { PrintSheet } from './print-sheet.tsx'
import { RoleGate } from './role-gate.tsx'
import { useUndo } from './use-undo.tsx'
import { EventTitle } from './welcome.tsx'

const printPollIntervalMs = 5_000

export type QueuedPrint = PrintQueueAnswer['prints'][number]

/** What guests have asked to be printed: an attendant prints it and hands it out. */
export function PrintsPage() {
  return (
    <EventPage>
      {(event) => (
        <RoleGate event={event.name} eventRole="attendant">
          <div className="page-width grid max-w-4xl gap-5 py-5">
            <EventTitle event={event} />
            <PrintQueue event={event} />
          </div>
        </RoleGate>
      )}
    </EventPage>
  )
}

function PrintQueue({ event }: { event: EventItem }) {
  const m = useMessages('events')
  const queryClient = useQueryClient()
  const { act, bar } = useUndo()
  const queryKey = ['prints', event.name]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      call('GET /api/events/:event/prints', { params: { event: event.name }, signal }),
    refetchInterval: printPollIntervalMs,
  })
  const [sheet, setSheet] = useState<QueuedPrint | null>(null)
  const mark = async ({ printId }: QueuedPrint, isPrinted: boolean): Promise<void> => {
    const params = { event: event.name, printId }
    const body = { isPrinted }
    const queue = await call('PUT /api/events/:event/prints/:printId', { params, body })
    // What is still being asked knows less than this answer.
    void queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, queue)
  }
  if (!query.data) return <Unready error={query.error} onRetry={() => void query.refetch()} />
  const { prints } = query.data
  const waiting = prints.filter(({ printedAt }) => printedAt === null)
  const done = prints.filter(({ printedAt }) => printedAt !== null)
  return (
    <>
      {bar}
      <p className="text-ash">{m.printHint}</p>
      {waiting.length === 0 ? <p className="text-xl">{m.nothingToPrint}</p> : null}
      <PrintList label={m.toPrint} prints={waiting} onPrint={setSheet} />
      <PrintList label={m.printedList} prints={done} onPrint={setSheet} />
      {sheet ? (
        <PrintSheet
          event={event}
          print={sheet}
          onPrinted={() => {
            setSheet(null)
            void act(
              fill(m.markedPrinted, { number: sheet.number }),
              () => mark(sheet, true),
              () => mark(sheet, false),
            )
          }}
        />
      ) : null}
    </>
  )
}

interface PrintListProps {
  label: string
  prints: readonly QueuedPrint[]
  onPrint: (print: QueuedPrint) => void
}

function PrintList({ label, prints, onPrint }: PrintListProps) {
  const m = useMessages('events')
  const { language } = useLanguage()
  if (prints.length === 0) return null
  return (
    <section aria-label={label}>
      <h2 className="mb-2 text-xl font-semibold">{label}</h2>
      <ul className="grid gap-px bg-ash/45">
        {prints.map((print) => (
          <li
            key={print.printId}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 bg-film py-2"
          >
            <img
              src={print.imageUrl}
              alt=""
              width={print.widthPx}
              height={print.heightPx}
              loading="lazy"
              className="h-24 w-auto"
            />
            <div className="min-w-32 flex-1">
              <p className="display narrow text-3xl">{print.number}</p>
              <p>{m.printFormats[print.format]}</p>
              <p className="edge-print text-ash">{dateTimeText(print.createdAt, language)}</p>
            </div>
            <FilmButton
              aria-label={fill(m.printNumber, { number: print.number })}
              className="min-h-14"
              onClick={() => onPrint(print)}
            >
              {print.printedAt === null ? m.print : m.printAgain}
            </FilmButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
