import { useRef, useState, type KeyboardEvent, type TouchEvent } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { useMessages } from '../ui/language.tsx'
import { TextButton } from '../ui/button.tsx'
import { Pencil } from '../ui/pencil.tsx'
import { glide } from '../ui/glide.ts'
import { useListener } from '../ui/use-listener.ts'
import { placePhoto } from './frame.tsx'
import { starTexts } from './star-texts.ts'
import type { ChosenPhoto } from './use-photo.ts'
import { VariationStrip, type Variations } from './variation-strip.tsx'
import { BeforeAfter, PictureViewer } from './picture-viewer.tsx'

export interface SelfiePictureProps {
  imageUrl: string
  /** Null while a restored picture's details are not known; then there is one version of it. */
  item: GenerationItem | null
  fresh?: boolean
  /** The person's own photo, to compare; null where it is not at hand. */
  before?: { photo: ChosenPhoto; address: string } | null
  variations: Variations
  canAskForOthers?: boolean
  onGone?: (() => void) | undefined
  /** What a swipe does; without it, it shows the version after or before. */
  onSwipe?: ((step: -1 | 1) => void) | undefined
}

/** A finished picture with its versions across its foot; keys and swipes show the one after or before. */
export function SelfiePicture(props: SelfiePictureProps) {
  const { imageUrl, item, fresh = false, before = null, variations } = props
  const m = useMessages('dashboard')
  const { picture, handlers } = useSteps(item, variations, props.onSwipe)
  // What is pressed stands there small before the server has made it large, in the same place.
  const shown = item?.variations.find(({ variationId }) => variationId === variations.shownId)
  const pending = variations.pendingId === null ? undefined : shown
  const src = pending?.imageUrl ?? imageUrl
  const { widthPx, heightPx } = shown ?? item ?? {}
  const size = { width: widthPx ?? 1024, height: heightPx ?? 1280 }
  const aspect = size.width / size.height
  /** The version whose picture has come: in its place another size of it does not go away before it has come too. */
  const [loadedId, setLoadedId] = useState<string | undefined>('')
  const isLoaded = (loadedId ?? variations.shownId) === variations.shownId
  const [isComparing, setComparing] = useState(false)
  useListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !isComparing) return
    setComparing(false)
    picture.current?.querySelector<HTMLElement>('.text-link[aria-pressed]')?.focus()
  })
  const [isEnlarged, setEnlarged] = useState(false)
  const { alt } = starTexts(item?.celebrities, m)
  const small = shown?.thumbnailUrl ?? item?.thumbnailUrl
  const coming = fresh ? 'appears' : ''
  const own = shown?.arrangement?.subjects[0]
  const ownPhoto = before && (
    <img src={before.address} alt={m.yourPhotoAlt} style={placePhoto(before.photo, own, aspect)} />
  )
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Keys and swipes do what buttons do.
    <div
      ref={picture}
      className="result-print touch-pan-y"
      style={{
        ['--aspect' as string]: aspect,
        ['--own' as string]: before && `url(${before.address})`,
      }}
      {...handlers}
    >
      <div className={fresh ? 'bg-[#efe6d8]' : 'bg-film'}>
        {ownPhoto && isComparing ? (
          <BeforeAfter
            before={ownPhoto}
            after={<img src={src} alt={alt} />}
            isRight={(own?.x ?? 0) > 0.5}
          />
        ) : (
          <>
            {/* Seen at once, until the picture itself has come over the line. */}
            {small ? (
              <img src={small} alt="" decoding="sync" className={`absolute size-full ${coming}`} />
            ) : null}
            <img
              src={src}
              fetchPriority="high"
              alt={alt}
              {...size}
              className={`relative block aspect-(--aspect) w-full ${isLoaded ? '' : 'opacity-0'}`}
              onLoad={() => setLoadedId(variations.shownId)}
              onError={pending ? undefined : props.onGone}
            />
            <button
              type="button"
              aria-label={m.enlarge}
              className="absolute inset-0 cursor-zoom-in"
              onClick={() => void glide(() => setEnlarged(true))}
            />
          </>
        )}
        {fresh ? (
          <Pencil drawing="frame" draws className="arrival inset-0 top-1 size-full" />
        ) : null}
      </div>
      <div className="mt-2.5 flex flex-wrap content-start items-center gap-x-3 gap-y-1 empty:hidden lg:items-start lg:mt-0">
        {item ? <VariationStrip {...props} item={item} /> : null}
        {before ? (
          <TextButton
            aria-pressed={isComparing}
            className="ml-auto min-h-11 text-[0.95rem] aria-pressed:text-amber lg:min-h-7"
            onClick={() => setComparing(!isComparing)}
          >
            {m.beforeAfter}
          </TextButton>
        ) : null}
      </div>
      {isEnlarged ? (
        <PictureViewer
          {...size}
          src={src}
          alt={alt}
          onClose={() => void glide(() => setEnlarged(false))}
        />
      ) : null}
    </div>
  )
}

/** A swipe is this long at least, in CSS px, and farther across than up or down. */
const swipeMinPx = 40

/** Arrow keys and swipes, which show the version after or before, with the picture in sight. */
function useSteps(
  item: GenerationItem | null,
  variations: Variations,
  onSwipe?: (step: -1 | 1) => void,
) {
  const picture = useRef<HTMLDivElement>(null)
  const touched = useRef<{ x: number; y: number } | null>(null)
  const all = item?.variations ?? []
  const at = all.findIndex(({ variationId }) => variationId === variations.shownId)
  const step = (by: -1 | 1): void => {
    const next = all[at + by]
    if (!next) return
    void variations.choose(next.variationId)
    const buttons = picture.current?.querySelectorAll<HTMLElement>('[role=group] > [aria-pressed]')
    if (picture.current?.contains(document.activeElement)) buttons?.[at + by]?.focus()
    picture.current?.scrollIntoView({ block: 'nearest' })
  }
  const handlers = {
    onKeyDown(event: KeyboardEvent) {
      // The slider has its own keys.
      const isSlider = event.target instanceof Element && event.target.matches('input')
      if (isSlider || !/^Arrow(?:Left|Right)$/.test(event.key)) return
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
        event.target instanceof Element &&
        event.target.matches('.result-print > div > :is(img, button)')
      if (!from || !finger || !isOnPicture) return
      const [across, down] = [finger.clientX - from.x, finger.clientY - from.y]
      if (Math.abs(across) < Math.max(swipeMinPx, Math.abs(down))) return
      ;(onSwipe ?? step)(across < 0 ? 1 : -1)
    },
  }
  return { picture, handlers }
}
