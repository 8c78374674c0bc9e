import { useState, type ReactNode } from 'react'
import { FilmButton } from '../generation/film-button.tsx'
import { FilmError } from '../generation/film-error.tsx'
import { useMessages } from '../ui/language.tsx'
import { useSubmission } from '../ui/use-submission.ts'

/**
 * Acts that can be taken back. `act` does the work and says `text` afterwards, with a button for
 * `undo`; `bar` shows that, and what has failed.
 */
export function useUndo() {
  const m = useMessages('events')
  const { error, submit } = useSubmission(m.failed)
  const [done, setDone] = useState<{ text: string; undo: () => Promise<unknown> } | null>(null)
  const act = async (
    text: string,
    work: () => Promise<unknown>,
    undo: () => Promise<unknown>,
  ): Promise<void> => {
    if (await submit(work)) setDone({ text, undo })
  }
  const bar: ReactNode = (
    <>
      <FilmError>{error}</FilmError>
      <div role="status" className="sticky top-0 z-30 empty:hidden">
        {done === null ? null : (
          <p className="flex flex-wrap items-center justify-between gap-3 border-l-[10px] border-amber bg-film py-2 pl-4 font-semibold">
            {done.text}
            <FilmButton
              onClick={() => {
                setDone(null)
                void submit(done.undo)
              }}
            >
              {m.undo}
            </FilmButton>
          </p>
        )}
      </div>
    </>
  )
  return { act, bar }
}
