import { flushSync } from 'react-dom'
import { useEffect, useState, type ReactElement } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import type { SelfieAspect } from '@starside/contract/scenes.ts'
import { Dialog, DialogTitle } from '../ui/dialog.tsx'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { FilmButton } from '../ui/button.tsx'
import { GenerationProgress } from './generation-progress.tsx'
import { Frame } from './frame.tsx'
import type { GeneratedPicture, RunningGeneration } from './generator-state.ts'
import type { SelfiePictureProps } from './selfie-picture.tsx'
import { loadLater } from '../ui/load-later.tsx'
import { useListener } from '../ui/use-listener.ts'
import { useGallery } from './use-gallery.ts'
import { loadCatalogue } from '../ui/messages/catalogues.ts'

const loadView = () => import('./selfie-view.tsx')
const SelfieView = loadLater(loadView, 'SelfieView')

interface ResultPanelProps {
  running: RunningGeneration | null
  picture: GeneratedPicture | null
  /** Shown in the place of the picture, or above it; null for none. */
  problem: ReactElement | null
  previews: readonly [string | null, string | null]
  /** The photo that the picture was made of, to compare; null where it is not at hand. */
  before: Exclude<SelfiePictureProps['before'], undefined>
  isEarlier?: boolean
  /** The format that is chosen. */
  aspect?: SelfieAspect
  changeItem: (item: GenerationItem) => void
  removePicture: () => void
}

/** AI RESULT: an empty frame, the progress, then the picture; on a phone these two fill the screen. */
export function ResultPanel(props: ResultPanelProps) {
  'use memo'
  const m = useMessages('dashboard')
  const { running, picture, problem, previews } = props
  const { items, changeItem } = useGallery()
  const id = picture?.item?.generationId
  // As it has become in the window of the gallery.
  const item = items.find(({ generationId }) => generationId === id) ?? picture?.item ?? null
  const shown = running ? null : picture
  const [isSheet, closeSheet] = useSheet(running !== null, problem !== null)
  const content = (
    <>
      {running ? (
        <div className="print-row grid gap-2">
          <GenerationProgress running={running} previews={previews} aspect={props.aspect} />
          <p className="text-[0.95rem] text-ash">
            {running.stage === null ? m.uploading : m.mayLeave}
          </p>
        </div>
      ) : picture ? (
        <SelfieView
          imageUrl={item?.imageUrl ?? picture.imageUrl}
          item={item}
          fresh={picture.fresh}
          before={props.before}
          isEarlier={props.isEarlier}
          onItem={(changed) => {
            changeItem(changed)
            props.changeItem(changed)
          }}
          onGone={props.removePicture}
        />
      ) : problem ? null : (
        <p className="empty-result">{m.resultPlaceholder}</p>
      )}
      <p role="status" className="sr-only">
        {shown?.fresh ? m.selfieReady : null}
      </p>
    </>
  )
  return (
    <Frame
      id="ai-result"
      title={m.aiResultPanel}
      className={`result-panel ${running || shown ? 'print' : ''}`}
      badge={shown ? m.badgeAi : null}
      picture={
        <>
          {problem}
          {isSheet ? (
            <Dialog onClose={closeSheet} className="phone-sheet on-film scroll-pt-20">
              <div className="grid gap-2 p-4">
                <div className="sheet-head">
                  <DialogTitle as="h3">{m.aiResultPanel}</DialogTitle>
                  <FilmButton aria-label={m.close} onClick={closeSheet}>
                    ×
                  </FilmButton>
                </div>
                {content}
              </div>
            </Dialog>
          ) : (
            content
          )}
        </>
      }
    />
  )
}

/** On a phone: whether the work and its picture fill the screen, until somebody closes them. */
function useSheet(isRunning: boolean, isStopped: boolean): [isOpen: boolean, close: () => void] {
  const { language } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const [wasRunning, setWasRunning] = useState(false)
  if (isRunning !== wasRunning) {
    setWasRunning(isRunning)
    if (isRunning && matchMedia('(width < 48rem)').matches) setOpen(true)
  }
  if (isStopped && isOpen) setOpen(false)
  useEffect(() => {
    if (!isRunning) return
    // The button that had the focus is disabled.
    const isLost = document.activeElement === document.body
    if (isLost) document.getElementById('ai-result')?.focus({ preventScroll: true })
    // The picture must wait neither for its program nor for the words beside it.
    void Promise.all([loadView(), loadCatalogue('variations', language)]).catch(() => undefined)
  }, [isRunning, language])
  // A link of the sheet leads to the page behind it, which has its full height before the browser scrolls.
  useListener('click', ({ target }) => {
    if (!(target instanceof Element && target.closest('a[href*="#"]'))) return
    flushSync(() => setOpen(false))
  })
  return [isOpen && !isStopped, () => setOpen(false)]
}
