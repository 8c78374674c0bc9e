import { useImperativeHandle, useRef, type ReactNode, type Ref } from 'react'
import { useMessages } from '../ui/language.tsx'
import { useFileDrop } from '../ui/use-file-drop.ts'

interface FrameProps {
  /** What takes the focus: the frame, or its heading where its parts lie apart on a phone. */
  ref?: Ref<HTMLElement> | undefined
  /** Which step it is: 1, 2, 3. */
  number: string
  title: string
  badge: string | null
  onDropFile?: (file: File) => void
  picture: ReactNode
  children?: ReactNode
  /** What needs more width than a frame has on a phone: there it lies below both frames. */
  more?: ReactNode
  className?: string
}

/** One frame on the studio's strip: its edge print, the picture, and what can be done with it. */
export function Frame({
  ref,
  number,
  title,
  badge,
  onDropFile,
  picture,
  children,
  more,
  className = '',
}: FrameProps) {
  const section = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const isParted = more !== undefined
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(
    ref,
    () => (isParted ? heading.current : section.current),
    [isParted],
  )
  const m = useMessages('dashboard')
  const drop = useFileDrop(onDropFile)
  return (
    // Dropping a file is one more way beside the buttons inside, which work by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={section}
      tabIndex={-1}
      aria-label={title}
      className={`min-w-0 ${more ? 'max-md:contents' : ''} ${className}`}
      {...drop.handlers}
    >
      <div className="min-w-0">
        <div className="edge-print flex h-8 items-center justify-between gap-2">
          <h3 ref={heading} tabIndex={-1}>
            <span aria-hidden="true" className="mr-2 text-amber">
              {number}
            </span>
            {title}
          </h3>
          {badge ? <span className="stamp">{badge}</span> : null}
        </div>
        <div className="relative">
          {picture}
          {drop.isOver ? (
            <div className="pointer-events-none absolute inset-0 z-20 grid place-items-center border-4 border-dashed border-amber bg-film/85 text-center font-semibold">
              {m.dropNow}
            </div>
          ) : null}
        </div>
        {children ? <div className="mt-2 grid gap-2 md:mt-3 md:gap-3">{children}</div> : null}
      </div>
      {more ? (
        <div className="grid min-w-0 gap-3 max-md:order-1 max-md:col-span-2 md:mt-3">{more}</div>
      ) : null}
    </section>
  )
}

interface EmptyFrameProps {
  /** The file field that a press anywhere in the frame opens. */
  inputId?: string
  className?: string
  children: ReactNode
}

/** The inside of a frame that holds no picture yet. */
export function EmptyFrame({ inputId, className = 'aspect-4/5', children }: EmptyFrameProps) {
  const looks = `relative grid place-items-center border border-ash/45 p-2 text-center text-ash max-md:text-[0.95rem] md:p-6 ${className}`
  const inside = (
    <>
      <svg
        aria-hidden="true"
        viewBox="0 0 100 125"
        className="absolute inset-0 size-full stroke-ash/20"
        preserveAspectRatio="none"
      >
        <path d="M0 0l100 125M100 0L0 125" vectorEffect="non-scaling-stroke" />
      </svg>
      <span className="relative max-w-[22ch] bg-film px-2 py-1">{children}</span>
    </>
  )
  if (inputId === undefined) return <div className={looks}>{inside}</div>
  return (
    <label htmlFor={inputId} className={`cursor-pointer ${looks}`}>
      {inside}
    </label>
  )
}
