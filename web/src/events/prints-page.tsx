import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { EventItem, PrintQueueAnswer } from '@starside/contract/events.ts'
import { fill } from '@starside/contract/fill.ts'
import { call } from '../api/call.ts'
import { FilmButton } from '../generation/film-button.tsx'
import { FilmError } from '../generation/film-error.tsx'
import { ToggleButtons } from '../generation/toggle-buttons.tsx'
import { dateTimeText } from '../ui/date-text.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { useSubmission } from '../ui/use-submission.ts'
import { Answered, TeamPage, teamPollIntervalMs } from './event-page.tsx'
import { PictureList } from './picture-list.tsx'
import { PrintSheet } from './print-sheet.tsx'

export type QueuedPrint = PrintQueueAnswer['prints'][number]

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
          <FilmError>{error}</FilmError>
          <p role="status" className="font-semibold empty:hidden">
            {marked}
          </p>
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
