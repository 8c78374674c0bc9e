import { useLayoutEffect, useRef, useState, type ComponentProps, type KeyboardEvent } from 'react'
import type { MouseEvent, PointerEvent, ReactNode } from 'react'
import { Dialog, DialogTitle } from '../ui/dialog.tsx'
import { useMessages } from '../ui/language.tsx'
import { FilmButton } from '../ui/button.tsx'

/** A press that goes farther, in CSS px, moves the picture. */
const pressMaxPx = 5

type PictureViewerProps = ComponentProps<'img'> & {
  width: number
  height: number
  onClose: () => void
}

/** A picture as large as the window shows it whole (`dashboard.css`); pressed, in its own pixels, in a window that scrolls. */
export function PictureViewer({ onClose, ...image }: PictureViewerProps) {
  const m = useMessages('dashboard')
  const frame = useRef<HTMLDivElement>(null)
  /** What lies in the middle, in parts of the picture, and how wide that is; null while it is whole. */
  const [zoom, setZoom] = useState<{ x: number; y: number; width: number } | null>(null)
  const pressedAt = useRef([0, 0])
  const enlarge = (x: number, y: number): void => {
    // In a window that is larger than the picture, twice as large as it is.
    const times = (frame.current?.clientWidth ?? 0) < image.width ? 1 : 2
    setZoom((now) => now ?? { x, y, width: times * image.width })
  }
  const toggle = (x: number, y: number): void => (zoom ? setZoom(null) : enlarge(x, y))
  useLayoutEffect(() => {
    const pane = frame.current?.closest('dialog')
    if (!pane || !zoom) return
    const left = zoom.x * pane.scrollWidth - pane.clientWidth / 2
    pane.scrollTo(left, zoom.y * pane.scrollHeight - pane.clientHeight / 2)
  }, [zoom])
  const onKeyDown = (event: KeyboardEvent): void => {
    // What is around the picture has arrow keys of its own; where it is enlarged they scroll.
    if (zoom || !event.key.startsWith('Arrow')) event.stopPropagation()
    if (event.key === '+' || event.key === '=') enlarge(0.5, 0.5)
    if (event.key === '-' || event.key === '0') setZoom(null)
  }
  const drag = ({ pointerType, buttons, currentTarget, ...moved }: PointerEvent): void => {
    // Fingers scroll and enlarge by themselves.
    if (pointerType !== 'mouse' || buttons !== 1) return
    currentTarget.closest('dialog')?.scrollBy(-moved.movementX, -moved.movementY)
  }
  const press = ({ clientX: x, clientY: y, detail, currentTarget }: MouseEvent): void => {
    const [fromX = x, fromY = y] = pressedAt.current
    // The second press of a double one would take the first back.
    if (detail > 1 || Math.hypot(x - fromX, y - fromY) > pressMaxPx) return
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    toggle((x - left) / width, (y - top) / height)
  }
  return (
    <Dialog onClose={onClose} className="picture-viewer on-film">
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Its keys do what a press does. */}
      <div
        className="grid min-h-full w-max min-w-full"
        onKeyDown={onKeyDown}
        onWheel={({ deltaY }) => (deltaY < 0 ? enlarge(0.5, 0.5) : setZoom(null))}
      >
        <DialogTitle className="sr-only">{m.enlarge}</DialogTitle>
        {/* Part of what scrolls, so that its arrow keys do. */}
        <FilmButton onClick={onClose}>{m.close}</FilmButton>
        <FilmButton onClick={() => toggle(0.5, 0.5)}>
          {zoom ? m.wholePicture : m.actualSize}
        </FilmButton>
        <div ref={frame} className="viewed" style={{ width: zoom?.width }}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events */}
          <img
            {...image}
            alt={image.alt}
            draggable={false}
            className={`block h-auto w-full select-none ${zoom ? 'cursor-zoom-out' : 'cursor-zoom-in'}`}
            onPointerDown={({ clientX, clientY }) => (pressedAt.current = [clientX, clientY])}
            onPointerMove={drag}
            onClick={press}
          />
        </div>
      </div>
    </Dialog>
  )
}

type BeforeAfterProps = Record<'before' | 'after', ReactNode> & { isRight: boolean }

/** Two pictures over each other, the first on one side; a range input moves the edge, by pointer, touch and arrow keys. */
export function BeforeAfter({ before, after, isRight }: BeforeAfterProps) {
  const m = useMessages('shell')
  const [edge, setEdge] = useState(50)
  const sides = isRight ? ['right-2', 'left-2'] : ['left-2', 'right-2']
  return (
    <div
      className={`before-after ${isRight ? 'before-right' : ''}`}
      style={{ ['--edge' as string]: `${edge}%` }}
    >
      {after}
      <div>{before}</div>
      {[m.before, m.after].map((text, n) => (
        <span key={text} aria-hidden="true" className={`stamp absolute top-2 z-1 ${sides[n]}`}>
          {text}
        </span>
      ))}
      <input
        type="range"
        value={edge}
        aria-label={m.compareLabel}
        onChange={(event) => setEdge(event.target.valueAsNumber)}
      />
    </div>
  )
}
