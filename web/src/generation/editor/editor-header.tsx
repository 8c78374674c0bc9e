import { useEffect, useRef } from 'react'
import { fill } from '@starside/contract/fill.ts'
import { DialogTitle } from '../../ui/dialog.tsx'
import { useMessages } from '../../ui/language.tsx'
import { minutesText, useNow } from '../../ui/use-elapsed.ts'
import { FilmButton, MainButton } from '../../ui/button.tsx'

interface EditorHeaderProps {
  /** When the parts are deleted. */
  expiresAt: string | null
  isBusy: boolean
  canSave: boolean
  onSave: () => void
  /** Whether it is asked if changes are to be lost, or a cut edge is to be saved. */
  asked: 'discard' | 'border' | null
  /** Closes the editor, or asks first. */
  onLeave: () => void
  onConfirm: () => void
  onKeep: () => void
}

/** Closing and saving, and for how long the picture can still be changed. */
export function EditorHeader(props: EditorHeaderProps) {
  const { expiresAt, isBusy, asked } = props
  const m = useMessages('variations')
  const leftMs = Date.parse(expiresAt ?? '') - useNow(true)
  const cancel = useRef<HTMLButtonElement>(null)
  const keep = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!asked) return
    keep.current?.focus()
    const after = cancel.current
    return () => after?.focus()
  }, [asked])
  return (
    <header className="sticky top-0 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-bone/30 bg-film px-3 py-1.5 has-[[role=alert]]:[&>:not(:last-child)]:invisible sm:px-5">
      <FilmButton ref={cancel} onClick={props.onLeave}>
        {m.cancel}
      </FilmButton>
      <DialogTitle className="text-lg font-semibold max-sm:flex-1 max-sm:text-center">
        {m.adjust}
      </DialogTitle>
      <p className="edge-print text-ash max-sm:hidden">
        {leftMs > 0 ? fill(m.kept, { time: minutesText(leftMs) }) : m.keptNoLonger}
      </p>
      <MainButton className="sm:ml-auto" disabled={isBusy || !props.canSave} onClick={props.onSave}>
        {isBusy ? m.saving : m.save}
      </MainButton>
      {asked ? (
        <div className="absolute inset-x-0 top-0 flex min-h-full flex-wrap items-center gap-2 bg-film px-3 py-2 sm:px-5">
          <p role="alert" className="w-full font-semibold sm:mr-auto sm:w-auto">
            {asked === 'border' ? m.askBorder : m.askDiscard}
          </p>
          <FilmButton ref={keep} onClick={props.onKeep}>
            {m.keepEditing}
          </FilmButton>
          <FilmButton onClick={props.onConfirm}>
            {asked === 'border' ? m.saveAnyway : m.discard}
          </FilmButton>
        </div>
      ) : null}
    </header>
  )
}
