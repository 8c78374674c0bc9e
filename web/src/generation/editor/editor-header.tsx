import { fill } from '@starside/contract/fill.ts'
import { Dialog, DialogTitle } from '../../ui/dialog.tsx'
import { useMessages } from '../../ui/language.tsx'
import { minutesText, nearEndMs, useNow } from '../../ui/use-elapsed.ts'
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
  const kept = leftMs < nearEndMs ? fill(m.kept, { time: minutesText(leftMs) }) : null
  return (
    <header className="sticky top-0 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-bone/30 bg-film px-3 py-1.5 sm:px-5">
      <FilmButton onClick={props.onLeave}>{m.cancel}</FilmButton>
      <DialogTitle className="text-lg font-semibold max-sm:flex-1 max-sm:text-center">
        {m.adjust}
      </DialogTitle>
      <p className="edge-print text-ash max-sm:hidden">{leftMs > 0 ? kept : m.keptNoLonger}</p>
      <MainButton className="sm:ml-auto" disabled={isBusy || !props.canSave} onClick={props.onSave}>
        {isBusy ? m.saving : m.save}
      </MainButton>
      {asked ? (
        <Dialog role="alertdialog" onClose={props.onKeep} className="max-w-sm backdrop:bg-film/60">
          <div className="on-film grid gap-4 border border-bone/40 bg-film p-5 text-bone">
            <DialogTitle as="p" className="text-lg font-semibold">
              {asked === 'border' ? m.askBorder : m.askDiscard}
            </DialogTitle>
            <div className="flex flex-wrap gap-2">
              <MainButton onClick={props.onKeep}>{m.keepEditing}</MainButton>
              <FilmButton onClick={props.onConfirm}>
                {asked === 'border' ? m.saveAnyway : m.discard}
              </FilmButton>
            </div>
          </div>
        </Dialog>
      ) : null}
    </header>
  )
}
