import { Suspense, useEffect, useRef, useState, type KeyboardEvent, type TouchEvent } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { pages } from '@starside/contract/pages.ts'
import { fill } from '@starside/contract/fill.ts'
import { shareNetwork } from '@starside/contract/sharing.ts'
import { BeforeAfter } from '../ui/before-after.tsx'
import { FoldSign } from '../ui/fold-sign.tsx'
import { useMessages } from '../ui/language.tsx'
import { Link } from '../ui/link.tsx'
import { loadLater } from '../ui/load-later.ts'
import { PencilFrame } from '../ui/pencil.tsx'
import { useNow } from '../ui/use-elapsed.ts'
import { FilmButton } from './film-button.tsx'
import { starTexts } from './star-texts.ts'
import { usePictureSharing } from './use-picture-sharing.ts'
import { useVariations } from './use-variations.ts'
import { VariationStrip } from './variation-strip.tsx'

const MoreActions = loadLater(async () => (await import('./more-actions.tsx')).MoreActions)
const VariationEditor = loadLater(
  async () => (await import('./editor/variation-editor.tsx')).VariationEditor,
)

interface SelfieViewProps {
  imageUrl: string
  /** Null while a restored picture's details are not known; then it can be saved but not changed. */
  item: GenerationItem | null
  /** True when it was made just now. */
  fresh?: boolean
  /** The person's own photo, to compare; null where it is not at hand. */
  before?: string | null
  onItem: (item: GenerationItem) => void
  /** The picture's address no longer works. */
  onGone?: () => void
  /** What a swipe does; without it, it shows the version after or before. */
  onSwipe?: (step: -1 | 1) => void
}

/** A finished selfie: the picture, its versions across its foot, and below what is done with it. */
export function SelfieView(props: SelfieViewProps) {
  'use memo'
  const { imageUrl, item, fresh = false, before = null, onItem, onGone } = props
  const m = useMessages('dashboard')
  const names = useMessages('variations')
  const variations = useVariations(item, { onItem, fallback: names.failed })
  const passing = usePictureSharing(imageUrl, item)
  const [isAdjusting, setAdjusting] = useState(false)
  const [hasMore, setMore] = useState(false)
  const [isComparing, setComparing] = useState(false)
  const { picture, handlers } = useSteps(item, variations, props.onSwipe)
  const keptMs = useKeptMs(item)
  const pending = item?.variations.find(({ variationId }) => variationId === variations.pendingId)
  const aspect = (item?.widthPx ?? 4) / (item?.heightPx ?? 5)
  const whole = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On a phone a sheet shows it; the page behind stands where the reader leads it.
    const isWide = matchMedia('(width >= 48rem)').matches
    if (fresh && isWide) whole.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }, [fresh])
  const { alt } = starTexts(item?.celebrities, m)
  return (
    // Keys and swipes do what the buttons of the versions do.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={whole} className="grid gap-3" {...handlers}>
      <div
        ref={picture}
        className="result-print touch-pan-y"
        style={{ ['--aspect' as string]: aspect }}
      >
        {before && isComparing ? (
          <BeforeAfter
            before={<img src={before} alt={m.yourPhotoAlt} className={comparedClass} />}
            after={<img src={imageUrl} alt={alt} className={comparedClass} />}
          />
        ) : (
          <div className="relative bg-[#efe6d8]">
            {/* Seen at once, until the picture itself has come over the line. */}
            {item?.thumbnailUrl && fresh ? (
              <img src={item.thumbnailUrl} alt="" className="absolute size-full" />
            ) : null}
            <img
              src={pending?.thumbnailUrl ?? imageUrl}
              fetchPriority="high"
              alt={alt}
              width={item?.widthPx ?? 1024}
              height={item?.heightPx ?? 1280}
              className={`relative block h-auto w-full ${fresh ? 'appears' : ''}`}
              onError={pending ? undefined : onGone}
            />
            {fresh ? (
              <PencilFrame className="-inset-1 h-[calc(100%+0.5rem)] w-[calc(100%+0.5rem)]" />
            ) : null}
          </div>
        )}
        {item ? <VariationStrip item={item} variations={variations} canDelete={hasMore} /> : null}
      </div>
      <div className="flex flex-wrap gap-2 max-sm:grid max-sm:grid-cols-2 [&>button]:grow [&>button]:px-2 max-sm:[&>:last-child:nth-child(odd)]:col-span-2">
        <button
          type="button"
          className="button button-main"
          onClick={() => void passing.download()}
        >
          {m.downloadImage}
        </button>
        <FilmButton onClick={() => void passing.share()}>
          {fill(m.shareOn, { host: shareNetwork.name })}
        </FilmButton>
        {keptMs > 0 ? (
          <FilmButton onClick={() => setAdjusting(true)}>{names.adjust}</FilmButton>
        ) : null}
        <FilmButton aria-expanded={hasMore} onClick={() => setMore(!hasMore)}>
          {m.more}
          <FoldSign unfolded={hasMore} />
        </FilmButton>
      </div>
      <p role="status" className="font-semibold empty:hidden">
        {variations.pendingId === null ? passing.notice : names.making}
      </p>
      <p role="alert" className="font-semibold text-safelight empty:hidden">
        {variations.error ?? passing.error}
      </p>
      <p className="text-[0.95rem] text-ash">
        {m.aiLabel}{' '}
        {item?.watermarked ? (
          <Link
            to={`${pages.dashboard.path}#packages`}
            className="text-link inline-block py-1 text-bone"
          >
            {m.removeWatermark}
          </Link>
        ) : null}
      </p>
      {hasMore ? (
        <Suspense fallback={null}>
          <MoreActions
            imageUrl={imageUrl}
            item={item}
            text={passing.text}
            link={passing.link}
            shareFile={passing.shareFile}
            keptMs={keptMs}
            variations={variations}
            compare={
              before ? { isOn: isComparing, toggle: () => setComparing(!isComparing) } : null
            }
            onItem={onItem}
          />
        </Suspense>
      ) : null}
      {item && isAdjusting ? (
        <Suspense fallback={null}>
          <VariationEditor
            item={item}
            onClose={() => setAdjusting(false)}
            onSaved={(saved) => {
              setAdjusting(false)
              variations.take(saved)
            }}
          />
        </Suspense>
      ) : null}
    </div>
  )
}

/** Of both pictures that are compared, each whole within the same 4:5. */
const comparedClass = 'block aspect-4/5 w-full bg-black object-contain'

/** How long the picture can still be adjusted, in milliseconds; 0 where it can't. */
function useKeptMs(item: GenerationItem | null): number {
  const until = item?.adjustableUntil ?? null
  const nowMs = useNow(until !== null)
  return until === null ? 0 : Math.max(0, Date.parse(until) - nowMs)
}

/** A swipe is this long at least, in CSS px, and farther across than up or down. */
const swipeMinPx = 40

/** Arrow keys and swipes, which show the version after or before, with the picture in sight. */
function useSteps(
  item: GenerationItem | null,
  variations: ReturnType<typeof useVariations>,
  onSwipe?: (step: -1 | 1) => void,
) {
  const picture = useRef<HTMLDivElement>(null)
  const touched = useRef<{ x: number; y: number } | null>(null)
  const all = item?.variations ?? []
  const at = all.findIndex(({ isChosen }) => isChosen)
  const step = (by: -1 | 1): void => {
    const next = all[at + by]
    if (!next || variations.busy) return
    void variations.choose(next.variationId)
    const buttons = picture.current?.querySelectorAll<HTMLElement>('[aria-pressed]')
    if (picture.current?.contains(document.activeElement)) buttons?.[at + by]?.focus()
    picture.current?.scrollIntoView({ block: 'nearest' })
  }
  const handlers = {
    onKeyDown(event: KeyboardEvent) {
      const target = event.target instanceof Element ? event.target : null
      // The slider has its own keys, and so has the rest of the page.
      const isHere = target !== null && picture.current?.contains(target) === true
      if (!isHere || target.matches('input') || !/^Arrow(?:Left|Right)$/.test(event.key)) return
      event.preventDefault()
      step(event.key === 'ArrowRight' ? 1 : -1)
    },
    onTouchStart({ touches }: TouchEvent) {
      const finger = touches.length === 1 ? touches[0] : undefined
      touched.current = finger ? { x: finger.clientX, y: finger.clientY } : null
    },
    onTouchEnd(event: TouchEvent) {
      const from = touched.current
      const finger = event.changedTouches[0]
      touched.current = null
      const isOnPicture =
        event.target instanceof Element && event.target.matches('.result-print > div > img')
      if (!from || !finger || !isOnPicture) return
      const [across, down] = [finger.clientX - from.x, finger.clientY - from.y]
      if (Math.abs(across) < Math.max(swipeMinPx, Math.abs(down))) return
      ;(onSwipe ?? step)(across < 0 ? 1 : -1)
    },
  }
  return { picture, handlers }
}
