import type { CSSProperties, ReactNode } from 'react'
import type { ArrangedSubject } from '@starside/contract/arrangement.ts'
import { useMessages } from '../ui/language.tsx'
import { useFileDrop } from '../ui/use-file-drop.ts'
import { FacePicker, percent } from './face-picker.tsx'
import { fitnessOf } from './photo-fitness.ts'
import { usePhotoAddress, chosenFaces, type ChosenPhoto } from './use-photo.ts'

interface FrameProps {
  /** Of its heading, which takes the focus: its parts may lie apart on a phone. */
  id: string
  title: string
  badge: string | null
  onDropFile?: (file: File) => void
  picture: ReactNode
  children?: ReactNode
  /** What needs more width than a frame has on a phone: in the studio it lies below both frames there. */
  more?: ReactNode
  className?: string
}

/** One frame on the studio's strip: its edge print, the picture, and what can be done with it. */
export function Frame(props: FrameProps) {
  const { title, badge, children, more, className = '' } = props
  const m = useMessages('dashboard')
  const drop = useFileDrop(props.onDropFile)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- A way beside the buttons inside.
    <section aria-label={title} className={`min-w-0 ${className}`} {...drop.handlers}>
      <div className="min-w-0">
        <div className="edge-print flex h-7 items-center justify-between gap-1">
          <h3 id={props.id} tabIndex={-1} className="whitespace-nowrap">
            {title}
          </h3>
          {badge ? <span className="stamp truncate px-0.5 tracking-normal">{badge}</span> : null}
        </div>
        <div className="relative">
          {props.picture}
          {drop.isOver ? (
            <div className="pointer-events-none absolute inset-0 z-20 grid place-items-center border-4 border-dashed border-amber bg-film/85 text-center font-semibold">
              {m.dropNow}
            </div>
          ) : null}
        </div>
        {children ? <div className="mt-2 grid gap-2">{children}</div> : null}
      </div>
      {more ? (
        <div className="flex min-w-0 flex-col gap-2 pt-2 in-[.film-frames]:pt-0">{more}</div>
      ) : null}
    </section>
  )
}

interface AddPhotoFrameProps {
  /** The file field that a press opens. */
  inputId: string
  person: string
  disabled: boolean
  /** The other ways by which a photo comes in. */
  hint: string
}

/** An empty frame, which is pressed as a whole to add a photo. */
export function AddPhotoFrame({ inputId, person, disabled, hint }: AddPhotoFrameProps) {
  const m = useMessages('dashboard')
  return (
    <div className="group relative">
      <button
        type="button"
        aria-label={`${m.uploadPhoto}: ${person}`}
        disabled={disabled}
        className="grid aspect-4/5 w-full max-md:aspect-8/5 content-center justify-items-center gap-3 max-md:gap-1.5 border border-dashed border-ash/60 p-2 md:pb-16 pointer-coarse:pb-2 group-hover:border-solid group-hover:border-bone"
        onClick={() => document.getElementById(inputId)?.click()}
      >
        <svg aria-hidden="true" viewBox="0 0 40 40" className="size-10 stroke-amber stroke-3">
          <path d="M20 4v32M4 20h32" />
        </svg>
        <span className="text-lg leading-tight font-semibold underline decoration-red decoration-2 underline-offset-4 group-hover:text-amber">
          {m.uploadPhoto}
        </span>
      </button>
      <label
        htmlFor={inputId}
        className="absolute inset-x-3 top-[62%] max-md:hidden pointer-coarse:hidden cursor-pointer text-center text-[0.9rem] leading-snug text-balance text-ash"
      >
        {hint}
      </label>
    </div>
  )
}

interface PhotoViewProps {
  photo: ChosenPhoto
  alt: string
  /** How it stands there; by default it fills a frame. */
  className?: string
  onChooseFace?: (index: number) => void
}

/** A chosen photo around its face; one of several people whole, so that each of them can be picked. */
export function PhotoView(props: PhotoViewProps) {
  const { photo, alt, onChooseFace } = props
  const m = useMessages('dashboard')
  const { prepared, check } = photo
  const address = usePhotoAddress(photo)
  if (!prepared?.readable) {
    return (
      <div className="grid aspect-4/5 place-content-center gap-2 border border-ash/45 p-3 text-center text-ash">
        <span className="block font-mono text-sm break-all">{prepared?.file.name}</span>
        {/* What the photo check refuses is reported by it alone. */}
        <span role="status">
          {!prepared ? m.preparing : fitnessOf(photo) === 'unfit' ? '' : m.failedToLoadImage}
        </span>
      </div>
    )
  }
  const faces = check?.state === 'answered' ? check.answer.faces : []
  const [width, height] = [prepared.widthPx ?? undefined, prepared.heightPx ?? undefined]
  const picture = { src: address ?? undefined, alt, width, height }
  const isGroup = faces.length > 1 && onChooseFace
  // Where nobody can be chosen there is nothing to pick.
  return isGroup && faces.some(({ refusals }) => refusals.length === 0) ? (
    <FacePicker faces={faces} chosen={chosenFaces(photo)} photo={picture} onChoose={onChooseFace} />
  ) : (
    <img
      {...picture}
      alt={alt}
      className={`block h-auto ${props.className ?? `aspect-4/5 w-full ${isGroup ? 'object-contain' : 'object-cover'}`}`}
      style={placePhoto(photo)}
    />
  )
}

/** How a photo is cropped to a frame (width over height), or a lower one, about the face that is meant; or laid so that its head is `head`. */
export function placePhoto(
  { prepared, check, faceIndex }: ChosenPhoto,
  head?: ArrangedSubject,
  frameAspect = 4 / 5,
): CSSProperties {
  const face = check?.state === 'answered' ? check.answer.faces[faceIndex ?? 0] : undefined
  const { widthPx, heightPx } = prepared ?? {}
  if (!face || !widthPx || !heightPx) return { objectPosition: '50% 40%' }
  const [x, y] = [face.x + face.width / 2, face.y + face.height / 2]
  const aspect = widthPx / heightPx / frameAspect
  // `length` counts in lengths of the frame; a photo that fits is moved only where the frame is lower.
  const towards = (part: number, length: number): string =>
    percent(length <= 1 ? part : Math.min(1, Math.max(0, (0.5 - part * length) / (1 - length))))
  if (!head) return { objectPosition: `${towards(x, aspect)} ${towards(y, 1.6)}` }
  // A head is 1.05 times as high as the box that is found about its face.
  const height = head.size / (1.05 * face.height)
  return {
    left: percent(head.x - (head.mirrored ? 1 - x : x) * height * aspect),
    top: percent(head.y - y * height),
    width: percent(height * aspect),
    height: percent(height),
    scale: head.mirrored ? '-1 1' : undefined,
  }
}
