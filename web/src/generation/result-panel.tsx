import { Suspense, useEffect, useRef, useState, type ReactElement } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { useAuth } from '../auth/auth-context.ts'
import { useMessages } from '../ui/language.tsx'
import { GenerationProgress } from './generation-progress.tsx'
import { EmptyFrame, Frame } from './frame.tsx'
import type { GeneratedPicture, RunningGeneration } from './generator-state.ts'
import { PictureActions } from './picture-actions.tsx'
import { ResultPicture } from './result-picture.tsx'
import { loadLater } from '../ui/load-later.ts'

const VariationStrip = loadLater(async () => (await import('./variation-strip.tsx')).VariationStrip)

interface ResultPanelProps {
  /** Which frame of the strip it is. */
  number: string
  running: RunningGeneration | null
  picture: GeneratedPicture | null
  /** Shown in the place of the picture, or above it; null for none. */
  problem: ReactElement | null
  /** The user's photo and the star's, for the progress and for the comparison. */
  previews: readonly [string | null, string | null]
  onItem: (item: GenerationItem) => void
  /** The picture's address no longer works. */
  onGone: () => void
}

/** AI RESULT: an empty frame, the progress, then the picture and what to do with it. */
export function ResultPanel(props: ResultPanelProps) {
  'use memo'
  const m = useMessages('dashboard')
  const { running, picture, problem, previews } = props
  const [comparing, setComparing] = useState(false)
  const shown = running ? null : picture
  const before = previews[0]
  const frame = useFocusWhileRunning(running !== null)
  return (
    <Frame
      ref={frame}
      number={props.number}
      title={m.aiResultPanel}
      badge={shown ? m.badgeAi : null}
      picture={
        <>
          {problem}
          <ResultContent {...props} before={comparing ? before : null} />
        </>
      }
    >
      <p role="status" className="sr-only">
        {shown?.fresh ? m.selfieReady : null}
      </p>
      {running ? (
        <p className="text-[0.95rem] text-ash">
          {running.stage === null ? m.uploading : m.mayLeave}
        </p>
      ) : null}
      {shown ? (
        <PictureActions onFilm imageUrl={shown.imageUrl} item={shown.item} onItem={props.onItem}>
          <AboutPicture item={shown.item} />
          {before ? (
            <button
              type="button"
              className="button button-film justify-self-start"
              aria-pressed={comparing}
              onClick={() => setComparing(!comparing)}
            >
              {m.beforeAfter}
            </button>
          ) : null}
          <Variations item={shown.item} onItem={props.onItem} />
        </PictureActions>
      ) : null}
    </Frame>
  )
}

/** What the frame holds: the progress, the picture, or that there is none yet. */
function ResultContent(props: ResultPanelProps & { before: string | null }) {
  const m = useMessages('dashboard')
  const { running, picture, problem, previews, before, onGone } = props
  if (running) return <GenerationProgress running={running} previews={previews} />
  if (picture) return <ResultPicture picture={picture} before={before} onGone={onGone} />
  return problem ? null : (
    <EmptyFrame className="min-h-24 md:aspect-4/5">{m.resultPlaceholder}</EmptyFrame>
  )
}

interface VariationsProps {
  item: GenerationItem | null
  onItem: (item: GenerationItem) => void
}

/** What else was made of the same photos; nothing for a picture without any of it. */
function Variations({ item, onItem }: VariationsProps) {
  if (!item || (item.variations.length === 0 && !item.hasBackgroundPhoto)) return null
  return (
    <Suspense fallback={null}>
      <VariationStrip item={item} buttonClass="button button-film" onItem={onItem} />
    </Suspense>
  )
}

/** That the picture is made with AI, what takes a watermark away, and that no credit is left for another. */
function AboutPicture({ item }: { item: GenerationItem | null }) {
  const m = useMessages('dashboard')
  const { user } = useAuth()
  return (
    <div className="text-[0.95rem] text-ash">
      <p>
        {m.aiLabel}
        {item?.watermarked ? ` ${m.watermarkNote}` : ''}
      </p>
      {item?.watermarked ? (
        <a href="#packages" className="text-link inline-flex min-h-11 items-center text-bone">
          {m.removeWatermark}
        </a>
      ) : null}
      {user?.creditsBalance === 0 ? (
        <p>
          {m.noCreditsLeft}{' '}
          <a href="#packages" className="text-link inline-flex min-h-11 items-center text-bone">
            {m.seePackages}
          </a>
        </p>
      ) : null}
    </div>
  )
}

/**
 * Gives the focus to the frame when the work begins, since the button that had it is disabled then;
 * it stays there until the picture has come.
 */
function useFocusWhileRunning(isRunning: boolean) {
  const frame = useRef<HTMLElement>(null)
  useEffect(() => {
    const isLost = document.activeElement === document.body || document.activeElement === null
    if (isRunning && isLost) frame.current?.focus({ preventScroll: true })
  }, [isRunning])
  return frame
}
