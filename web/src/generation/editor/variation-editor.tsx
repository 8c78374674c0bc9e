import { useEffect, useState } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { fill } from '@starside/contract/fill.ts'
import { call } from '../../api/call.ts'
import { decodeImage } from '../../ui/decode-image.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useSubmission } from '../../ui/form.tsx'
import { glide } from '../../ui/glide.ts'
import { useMessages, useErrorSentence } from '../../ui/language.tsx'
import { FilmButton, TextButton } from '../../ui/button.tsx'
import { isFull, usualBrush } from './brush.ts'
import { EditorControls, type EditorTab } from './editor-controls.tsx'
import { EditorHeader } from './editor-header.tsx'
import { EditorStage } from './editor-stage.tsx'
import { wholePicture, type PictureView } from './picture-view.ts'
import { useEditing, useUndoKeys, useLeaveGuard } from './use-editing.ts'
import { usePreview, type Preview } from './use-preview.ts'

interface VariationEditorProps {
  item: GenerationItem
  onClose: () => void
  /** The selfie with its new version, which it is shown as. */
  onSaved: (item: GenerationItem) => void
}

/** Adjusts a finished picture: loads its parts, then shows them with everything that can be changed. */
export function VariationEditor({ item, onClose, onSaved }: VariationEditorProps) {
  'use memo'
  const m = useMessages('variations')
  const editing = useEditing(item)
  const { present, isChanged } = editing
  const [view, setView] = useState(wholePicture)
  const [asked, setAsked] = useState<'discard' | 'border' | null>(null)
  const close = () => void glide(onClose)
  const leave = (): void => (isChanged ? setAsked('discard') : close())
  useLeaveGuard(isChanged, () => setAsked('discard'))
  const drawn = usePreview(item.generationId, editing.shown, {
    isMoving: editing.isMoving,
    // Before the small one is seen to be soft.
    size: view.zoom >= 1.5 ? 'large' : 'both',
  })
  const { error, busy, submit } = useSubmission(m.failed)
  const save = () =>
    submit(async () => {
      setAsked(null)
      const input = { params: { generationId: item.generationId }, body: { arrangement: present } }
      const { generation } = await call('POST /api/generations/:generationId/variations', input)
      // What the picture glides to has to be there.
      await decodeImage(generation.thumbnailUrl ?? '').catch(() => undefined)
      await glide(() => onSaved(generation))
    })
  const [isOpen, setOpen] = useState(false)
  useEffect(() => void glide(() => setOpen(true)), [])
  if (!isOpen) return null
  return (
    <Dialog
      onClose={close}
      onEscape={editing.isComparing ? editing.toggleCompare : leave}
      lightDismiss={false}
      className="h-[calc(100dvh-2rem)] max-w-[90rem] max-lg:h-dvh max-lg:max-h-dvh max-lg:w-full max-lg:max-w-none max-lg:rounded-none max-lg:border-0"
    >
      <div className="on-film flex h-full flex-col bg-film text-bone">
        <EditorHeader
          expiresAt={item.adjustableUntil}
          isBusy={busy}
          // What would be saved is a change, and is seen first, and whether a border would show.
          canSave={isChanged && (drawn.isCurrent || drawn.failure !== null)}
          onSave={() => (showsBorder(drawn) ? setAsked('border') : void save())}
          asked={asked}
          onLeave={leave}
          onConfirm={() => (asked === 'border' ? void save() : close())}
          onKeep={() => setAsked(null)}
        />
        <Workbench {...{ item, editing, drawn, view, error }} onView={setView} />
      </div>
    </Dialog>
  )
}

interface WorkbenchProps {
  item: GenerationItem
  editing: ReturnType<typeof useEditing>
  drawn: Drawn
  view: PictureView
  onView: (view: PictureView) => void
  /** Why it couldn't be saved. */
  error: string | null
}

/** What is shown of a finished picture until its parts have come. */
const unopened = { background: null, markBox: null, people: [], visibleBorder: 0, mended: null }

/** The picture with its controls: below each other, on a wide or a low screen side by side. */
function Workbench({ item, editing, drawn, view, onView, error }: WorkbenchProps) {
  'use memo'
  const [tab, setTab] = useState<EditorTab>('place')
  const [brush, setBrush] = useState(usualBrush)
  const m = useMessages('variations')
  useUndoKeys(editing.dispatch)
  const { present, initial, isComparing, selected } = editing
  const finished = { ...unopened, arrangement: initial, isLarge: false, image: item.imageUrl ?? '' }
  const preview: Preview = drawn.preview ?? finished
  const isOpen = drawn.preview !== null
  const names = preview.people[0]?.heads[1] ? editing.names.with(0, m.yourGroup) : editing.names
  const isMissed = tab === 'brush' && editing.isMissed
  const name = names[selected] ?? ''
  const usual = m.brushHelp[isFull(present, selected) ? 'full' : brush.kind]
  const help = isMissed ? fill(m.brushMissed, { name }) : tab === 'brush' ? usual : null
  const mend = (): void => {
    const subjects = present.subjects.map((subject, n) => ({ ...subject, ...preview.mended?.[n] }))
    // The button goes with its press.
    document.querySelector<HTMLElement>('[role="application"]')?.focus()
    editing.onChange({ ...present, subjects }, null)
  }
  return (
    <div className="grid min-h-0 flex-1 grid-rows-[auto_minmax(11rem,1fr)_auto] wide:grid-cols-[minmax(0,1fr)_clamp(16rem,45vw,25rem)] wide:grid-rows-[minmax(0,1fr)_auto]">
      <div className="flex flex-col gap-1 bg-film pb-0.5 sm:px-5 wide:gap-2 wide:pt-3 wide:pb-1">
        <EditorStage
          {...editing}
          {...{ names, preview, view, onView }}
          arrangement={editing.shown}
          isStill={isComparing}
          showsSelected={tab === 'place' && !isComparing}
          brush={tab === 'brush' ? brush : null}
        />
        <PreviewStatus
          {...{ ...drawn, help, isMissed }}
          onMend={preview.mended && !isComparing ? mend : null}
        />
        <p role="alert" className="error-box empty:hidden">
          {error}
        </p>
      </div>
      <div
        // Its tab takes the focus once there is something to do.
        key={`${isOpen}`}
        inert={!isOpen}
        className="overflow-y-auto overscroll-contain px-3 pb-2 inert:opacity-50 sm:px-5 wide:col-start-2 wide:row-span-2 wide:row-start-1 wide:border-l wide:border-bone/30 wide:pt-3 wide:pb-4"
      >
        <EditorControls
          {...editing}
          {...{ names, item, preview, tab, brush }}
          arrangement={present}
          onTab={(next) => {
            if (tab === 'brush' && next !== tab) onView(wholePicture)
            setTab(next)
          }}
          onBrush={setBrush}
        />
      </div>
      <EditorSteps editing={editing} isOpen={isOpen} />
    </div>
  )
}

type Drawn = ReturnType<typeof usePreview>

function showsBorder({ isCurrent, preview }: Drawn): boolean {
  // Less of a head's size isn't seen.
  return isCurrent && (preview?.visibleBorder ?? 0) > 0.08
}

type StatusProps = Drawn & { help: string | null; isMissed: boolean; onMend: (() => void) | null }

/** `onMend` puts people where no cut edge shows, where there is such a place; `help` stands where all is well or a stroke `isMissed`. */
function PreviewStatus({ onMend, help, isMissed, ...drawn }: StatusProps) {
  const m = useMessages('variations')
  const texts = useMessages('dashboard')
  const sentenceOf = useErrorSentence()
  const { preview, failure, tryAgain, isCurrent } = drawn
  const isCut = showsBorder(drawn) && !isMissed
  const state = !preview ? m.opening : !isCurrent ? m.updating : isCut ? m.borderShows : help
  return (
    <div className="flex flex-wrap gap-x-2 px-3 text-[0.95rem] sm:px-0 *:min-h-6 wide:justify-center max-sm:[&>button]:min-h-11">
      <p role="status" className={isCut || isMissed ? 'text-amber' : 'text-ash'}>
        {failure ? null : isMissed ? help : state}
      </p>
      {isCut && onMend ? <TextButton onClick={onMend}>{m.hideBorder}</TextButton> : null}
      {failure === null ? null : (
        <p role="alert">
          {sentenceOf(failure, m.failed)}{' '}
          <TextButton onClick={tryAgain}>{texts.tryAgain}</TextButton>
        </p>
      )}
    </div>
  )
}

function EditorSteps({ editing, isOpen }: Pick<WorkbenchProps, 'editing'> & { isOpen: boolean }) {
  const m = useMessages('variations')
  const { dispatch, canUndo, canRedo, isComparing, toggleCompare } = editing
  const steps = [
    { type: 'undo', label: m.undo, isPossible: canUndo },
    { type: 'redo', label: m.redo, isPossible: canRedo },
    { type: 'start-over', label: m.startOver, isPossible: canUndo },
  ] as const
  return (
    <div className="flex justify-center gap-2 border-t border-bone/30 bg-film px-3 py-1.5 max-sm:*:min-w-0 max-sm:*:grow max-sm:*:px-1.5 max-sm:*:text-[0.85rem] sm:px-5 wide:border-t-0">
      {steps.map(({ type, label, isPossible }) => (
        <FilmButton key={type} disabled={!isPossible} onClick={() => dispatch({ type })}>
          {label}
        </FilmButton>
      ))}
      <FilmButton aria-pressed={isComparing} disabled={!isOpen} onClick={toggleCompare}>
        {m.compare}
      </FilmButton>
    </div>
  )
}
