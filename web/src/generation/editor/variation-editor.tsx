import { useId } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { GenerationItem } from '@starside/contract/generation.ts'
import type { LayersAnswer } from '@starside/contract/variations.ts'
import { call } from '../../api/call.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useErrorSentence } from '../../ui/error-sentence.ts'
import { useMessages } from '../../ui/language.tsx'
import { useSubmission } from '../../ui/use-submission.ts'
import { EditorControls } from './editor-controls.tsx'
import { EditorStage } from './editor-stage.tsx'
import type { EditorAction, EditorState } from './editor-state.ts'
import { useEditing } from './use-editing.ts'
import { usePreview } from './use-preview.ts'

interface VariationEditorProps {
  item: GenerationItem
  onClose: () => void
  /** The selfie with its new version, which it is shown as. */
  onSaved: (item: GenerationItem) => void
}

/** Adjusts a finished picture: loads its parts, then shows them with everything that can be changed. */
export function VariationEditor(props: VariationEditorProps) {
  const m = useMessages('variations')
  const sentenceOf = useErrorSentence()
  const titleId = useId()
  const { generationId } = props.item
  const layers = useQuery({
    queryKey: ['layers', generationId],
    queryFn: ({ signal }) =>
      call('GET /api/generations/:generationId/layers', { params: { generationId }, signal }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  return (
    <Dialog
      open
      onClose={props.onClose}
      labelledBy={titleId}
      lightDismiss={false}
      className="max-w-6xl"
    >
      <div className="on-film bg-film p-4 text-bone sm:p-6">
        <h2 id={titleId} className="display narrow text-3xl">
          {m.adjust}
        </h2>
        {layers.isPending ? (
          <p role="status" className="py-10">
            {m.opening}
          </p>
        ) : null}
        {layers.isError ? (
          <div className="grid justify-items-start gap-4 py-6">
            <p role="alert">{sentenceOf(layers.error, m.failed)}</p>
            <button type="button" className="button button-film" onClick={props.onClose}>
              {m.cancel}
            </button>
          </div>
        ) : null}
        {layers.isSuccess ? <OpenEditor {...props} layers={layers.data} /> : null}
      </div>
    </Dialog>
  )
}

function OpenEditor(props: VariationEditorProps & { layers: LayersAnswer }) {
  'use memo'
  const m = useMessages('variations')
  const { item, layers, onClose, onSaved } = props
  const editing = useEditing(item)
  const { state, selected, setSelected, names } = editing
  const drawn = usePreview(item.generationId, editing.shown, editing.dragStart !== null)
  const saving = useSubmission(m.failed)
  const save = () =>
    saving.submit(async () => {
      const answer = await call('POST /api/generations/:generationId/variations', {
        params: { generationId: item.generationId },
        body: { arrangement: state.present },
      })
      onSaved(answer.generation)
    })
  return (
    <>
      <div className="grid gap-6 py-4 lg:grid-cols-[3fr_2fr]">
        <div className="sticky top-0 z-10 self-start bg-film pb-1">
          <EditorStage
            isStill={editing.isComparing}
            layers={layers}
            arrangement={editing.shown}
            preview={drawn.preview}
            names={names}
            isMoving={editing.dragStart !== null}
            selected={selected}
            onSelect={setSelected}
            onMove={editing.move}
            onLift={editing.lift}
          />
          <PreviewStatus {...drawn} />
        </div>
        <EditorControls
          // While somebody is dragged the sliders wait: a move draws the picture alone.
          arrangement={editing.dragStart ?? state.present}
          names={names}
          selected={selected}
          onSelect={setSelected}
          onChange={editing.change}
          onSettle={editing.settle}
        />
      </div>
      <p role="alert" className="empty:hidden">
        {saving.error}
      </p>
      <EditorBar
        state={state}
        dispatch={editing.dispatch}
        isSaving={saving.busy}
        // What would be saved is seen first, and whether a border would show.
        canSave={drawn.isCurrent || drawn.failure !== null}
        onSave={() => void save()}
        isComparing={editing.isComparing}
        onCompare={editing.toggleCompare}
        onClose={onClose}
      />
    </>
  )
}

/** Shorter borders, in head sizes, aren't seen. */
const visibleBorderMax = 0.08

/** Whether what is shown is what would be saved, and what is wrong with it. */
function PreviewStatus(drawn: ReturnType<typeof usePreview>) {
  const m = useMessages('variations')
  const texts = useMessages('dashboard')
  const sentenceOf = useErrorSentence()
  const { preview, failure, tryAgain, isCurrent } = drawn
  const showsBorder = isCurrent && (preview?.answer.visibleBorder ?? 0) > visibleBorderMax
  return (
    <>
      <p
        role="status"
        className={`mt-2 min-h-6 text-[0.95rem] ${showsBorder ? 'text-amber' : 'text-ash'}`}
      >
        {isCurrent ? (showsBorder ? m.borderShows : m.upToDate) : failure ? null : m.updating}
      </p>
      {failure === null ? null : (
        <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p>{sentenceOf(failure, m.failed)}</p>
          <button type="button" className="button button-film" onClick={tryAgain}>
            {texts.tryAgain}
          </button>
        </div>
      )}
    </>
  )
}

interface EditorBarProps {
  state: EditorState
  dispatch: (action: EditorAction) => void
  isSaving: boolean
  canSave: boolean
  onSave: () => void
  isComparing: boolean
  onCompare: () => void
  onClose: () => void
}

/** Saving, and going back and forth among the steps; always in reach of the thumb. */
function EditorBar(props: EditorBarProps) {
  const m = useMessages('variations')
  const { state, dispatch, isSaving, canSave, onSave, isComparing, onCompare, onClose } = props
  return (
    <div className="sticky bottom-0 -mx-4 flex gap-2 overflow-x-auto bg-film px-4 py-3 *:shrink-0 sm:-mx-6 sm:px-6 md:flex-wrap">
      <button
        type="button"
        className="button button-main"
        disabled={isSaving || !canSave}
        onClick={onSave}
      >
        {isSaving ? m.saving : m.save}
      </button>
      <StepButton
        label={m.undo}
        disabled={state.past.length === 0}
        onClick={() => dispatch({ type: 'undo' })}
      />
      <StepButton
        label={m.redo}
        disabled={state.future.length === 0}
        onClick={() => dispatch({ type: 'redo' })}
      />
      <StepButton
        label={m.startOver}
        disabled={state.past.length === 0}
        onClick={() => dispatch({ type: 'start-over' })}
      />
      <button
        type="button"
        className="button button-film"
        aria-pressed={isComparing}
        onClick={onCompare}
      >
        {m.compare}
      </button>
      <button type="button" className="button button-film" onClick={onClose}>
        {m.cancel}
      </button>
    </div>
  )
}

function StepButton(props: { label: string; disabled: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      className="button button-film"
      disabled={props.disabled}
      onClick={props.onClick}
    >
      {props.label}
    </button>
  )
}
