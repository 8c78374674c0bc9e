import { fill } from '@starside/contract/fill.ts'
import { useMessages } from '../../ui/language.tsx'
import { minutesText, useNow } from '../../ui/use-elapsed.ts'

interface EditorHeaderProps {
  titleId: string
  /** Null until the parts are there: nothing to save yet. */
  saving: {
    /** When the parts are deleted. */
    expiresAt: string
    isBusy: boolean
    canSave: boolean
    onSave: () => void
  } | null
  onClose: () => void
}

/** Closing and saving, and for how long the picture can still be changed. */
export function EditorHeader({ titleId, saving, onClose }: EditorHeaderProps) {
  const m = useMessages('variations')
  return (
    <header className="sticky top-0 z-20 flex items-center gap-x-4 border-b border-bone/30 bg-film px-3 py-2 sm:px-5">
      <button type="button" className="button button-film" onClick={onClose}>
        {m.cancel}
      </button>
      <h2 id={titleId} className="text-lg font-semibold max-sm:flex-1 max-sm:text-center">
        {m.adjust}
      </h2>
      {saving === null ? null : (
        <>
          <TimeLeft until={saving.expiresAt} />
          <button
            type="button"
            className="button button-main sm:ml-auto"
            disabled={saving.isBusy || !saving.canSave}
            onClick={saving.onSave}
          >
            {saving.isBusy ? m.saving : m.save}
          </button>
        </>
      )}
    </header>
  )
}

/** For how long the picture's parts are kept. */
function TimeLeft({ until }: { until: string }) {
  const m = useMessages('variations')
  const leftMs = Date.parse(until) - useNow(true)
  return (
    <p className="edge-print text-ash max-sm:hidden">
      {leftMs <= 0 ? m.keptNoLonger : fill(m.kept, { time: minutesText(leftMs) })}
    </p>
  )
}
