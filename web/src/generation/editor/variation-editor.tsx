import { useId, useState } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { call } from '../../api/call.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useErrorSentence } from '../../ui/error-sentence.ts'
import { useMessages } from '../../ui/language.tsx'
import { useSubmission } from '../../ui/use-submission.ts'
import { EditorControls } from './editor-controls.tsx'
import { EditorHeader } from './editor-header.tsx'
import { EditorStage } from './editor-stage.tsx'
import type { EditorAction, EditorState } from './editor-state.ts'
import type { EditorTab } from './editor-tabs.tsx'
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
  const titleId = useId()
  return (
    <Dialog
      open
      onClose={props.onClose}
      labelledBy={titleId}
      lightDismiss={false}
      className="h-[calc(100dvh-2rem)] max-w-[90rem] max-lg:h-dvh max-lg:max-h-dvh max-lg:w-full max-lg:max-w-none max-lg:rounded-none max-lg:border-0"
    >
      <div className="on-film flex min-h-full flex-col bg-film text-bone lg:h-full">
        <OpenEditor {...props} titleId={titleId} />
      </div>
    </Dialog>
  )
}

function OpenEditor(props: VariationEditorProps & { titleId: string }) {
  'use memo'
  const m = useMessages('variations')
  const { item, titleId, onClose, onSaved } = props
  const editing = useEditing(item)
  const [tab, setTab] = useState<EditorTab>('place')
  const { state, selected, setSelected, names } = editing
  const isMoving = editing.dragStart !== null
  const drawn = usePreview(item.generationId, editing.shown, isMoving)
  const saving = useSubmission(m.failed)
  const save = () =>
    saving.submit(async () => {
      const answer = await call('POST /api/generations/:generationId/variations', {
        params: { generationId: item.generationId },
        body: { arrangement: state.present },
      })
      onSaved(answer.generation)
    })
  const { preview } = drawn
  if (!preview) {
    return (
      <>
        <EditorHeader titleId={titleId} saving={null} onClose={onClose} />
        <div className="m-auto p-6">
          <PreviewStatus {...drawn} />
        </div>
      </>
    )
  }
  return (
    <>
      <EditorHeader
        titleId={titleId}
        saving={{
          expiresAt: preview.answer.expiresAt,
          isBusy: saving.busy,
          // What would be saved is seen first, and whether a border would show.
          canSave: drawn.isCurrent || drawn.failure !== null,
          onSave: () => void save(),
        }}
        onClose={onClose}
      />
      <div className="grid flex-1 grid-rows-[auto_1fr_auto] lg:min-h-0 lg:grid-cols-[minmax(0,1fr)_25rem] lg:grid-rows-[minmax(0,1fr)_auto]">
        <div className="sticky top-[3.75rem] z-10 flex flex-col gap-2 bg-film px-3 pt-3 pb-1 sm:px-5 lg:static lg:pt-5">
          <EditorStage
            isStill={editing.isComparing}
            arrangement={editing.shown}
            preview={preview}
            names={names}
            isMoving={isMoving}
            showsSelected={tab === 'place' && !editing.isComparing}
            selected={selected}
            onSelect={setSelected}
            onMove={editing.move}
            onLift={editing.lift}
          />
          <PreviewStatus {...drawn} />
          <p role="alert" className="error-box empty:hidden">
            {saving.error}
          </p>
        </div>
        <div className="px-3 pb-4 sm:px-5 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:overflow-y-auto lg:border-l lg:border-bone/30 lg:pt-3">
          <EditorControls
            // While somebody is dragged the sliders wait: a move draws the picture alone.
            arrangement={editing.dragStart ?? state.present}
            tab={tab}
            names={names}
            selected={selected}
            onTab={setTab}
            onSelect={setSelected}
            onChange={editing.change}
            onSettle={editing.settle}
          />
        </div>
        <EditorSteps
          state={state}
          dispatch={editing.dispatch}
          isComparing={editing.isComparing}
          onCompare={editing.toggleCompare}
        />
      </div>
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
        className={`min-h-6 text-[0.95rem] lg:text-center ${showsBorder ? 'text-amber' : 'text-ash'}`}
      >
        {failure
          ? null
          : preview
            ? isCurrent
              ? showsBorder
                ? m.borderShows
                : null
              : m.updating
            : m.opening}
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

interface EditorStepsProps {
  state: EditorState
  dispatch: (action: EditorAction) => void
  isComparing: boolean
  onCompare: () => void
}

/** Going back and forth among the steps; on a phone always in reach of the thumb. */
function EditorSteps({ state, dispatch, isComparing, onCompare }: EditorStepsProps) {
  const m = useMessages('variations')
  return (
    <div className="sticky bottom-0 flex gap-2 overflow-x-auto border-t border-bone/30 bg-film px-3 py-2 *:shrink-0 sm:px-5 lg:static lg:justify-center lg:border-t-0 lg:pb-5">
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
        className="button button-film aria-pressed:bg-bone aria-pressed:text-film"
        aria-pressed={isComparing}
        onClick={onCompare}
      >
        {m.compare}
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
