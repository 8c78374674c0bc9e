import { useId, useLayoutEffect, useRef, useState } from 'react'
import type { ArrangedSubject, Arrangement } from '@starside/contract/arrangement.ts'
import { fill } from '@starside/contract/fill.ts'
import { useMessages } from '../../ui/language.tsx'
import { middleOf, shapeOf } from './adjust-arrangement.ts'
import { paintStroke, type Brush } from './brush.ts'
import { drawParts, toPerson, touches, type DrawnPerson, type PictureParts } from './draw-parts.ts'
import { coverStage, viewTransform, wholePicture, zoomMax, zoomView } from './picture-view.ts'
import type { PictureView, Point } from './picture-view.ts'
import type { Preview } from './use-preview.ts'
import { useBrush, useKeys } from './use-brush.ts'
import { useDrag, type Paint, type StageProps } from './use-drag.ts'

interface EditorStageProps extends StageProps {
  names: readonly string[]
  preview: Preview
  /** As it was when the editor opened. */
  initial: Arrangement
  isMoving: boolean
  /** What fingers and keys paint with; null where they move people. */
  brush: Brush | null
  /** `isMissed`: it lies on nothing of who is chosen, and changes nothing. */
  onStroke: (isMissed: boolean) => void
}

/** The picture, in which people are moved, drawn of its parts until the server's shows them there. */
export function EditorStage(props: EditorStageProps) {
  'use memo'
  const m = useMessages('variations')
  const { before } = useMessages('shell')
  const { arrangement, preview, isMoving, isStill, showsSelected, selected, view, brush } = props
  const frame = useRef<HTMLDivElement>(null)
  const onView = (next: PictureView): void => {
    const [inner, stage] = [frame.current!, frame.current!.parentElement!]
    props.onView(coverStage(next, inner.getBoundingClientRect(), stage.getBoundingClientRect()))
  }
  const subject = arrangement.subjects[selected]!
  const person = preview.people[selected]
  const shape = shapeOf(arrangement.aspect)
  const [stroke, setStroke] = useState<readonly Point[]>([])
  const paint: Paint = (from, path) => {
    setStroke([...path])
    if (!brush || !person) return from
    const points = path.map((point) => toPerson(person, subject, point, shape))
    // A stroke that has changed somebody goes on: only another one is looked at, which takes long.
    const isMissed = arrangement === from && !touches(person, { ...brush, points })
    props.onStroke(isMissed)
    return isMissed ? from : paintStroke(from, selected, brush, points)
  }
  const drag = useDrag({ ...props, onView, frame, paint: brush && paint })
  const { moved, ...keys } = useKeys(props)
  const painting = useBrush({ ...props, paint })
  const [loadedImage, setLoadedImage] = useState<string | null>(null)
  const helpId = useId()
  const name = props.names[selected] ?? ''
  const isOther = (...parts: (keyof Arrangement)[]): boolean =>
    parts.some((key) => preview.arrangement[key] !== arrangement[key])
  const isElsewhere = isOther('subjects', 'frontToBack', 'aspect')
  // The picture of another place or format is marked as such.
  const isOutdated = isOther('scene', 'aspect', 'look')
  const zoom = (factor: number): void => {
    // Nothing is looked at yet where the whole is seen.
    const whole = { ...middleOf(arrangement, preview.people, selected), zoom: 1 }
    onView(zoomView(view.zoom > 1 ? view : whole, factor, wholePicture))
  }
  return (
    <>
      {/* The picture fills what the other parts leave; on a phone, below it, all that the brush has is in sight. */}
      <div className="relative grid overflow-hidden h-[max(41dvh,min(125vw,100dvh-22.75rem))] sm:h-[max(41dvh,100dvh-27rem)] [container-type:size] wide:h-auto wide:min-h-0 wide:flex-1">
        <div
          ref={frame}
          className={`paper paper-${arrangement.look}`}
          style={{ ['--across' as string]: shape.width, ['--down' as string]: shape.height }}
        >
          <div className="absolute inset-0" style={{ transform: viewTransform(view) }}>
            <img
              src={preview.image}
              alt={m.previewAlt}
              className="absolute inset-0 size-full object-contain"
              onLoad={() => setLoadedImage(preview.image)}
            />
            <div
              {...drag}
              {...(brush ? painting.handlers : keys)}
              role="application"
              aria-label={m.stage}
              aria-describedby={helpId}
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- The keys move people here.
              tabIndex={0}
              // Nobody can be moved before their parts have come.
              inert={!person}
              className={`touch-none select-none [container-type:size] -outline-offset-3 ${isStill ? 'pointer-events-none' : brush ? 'cursor-crosshair' : 'cursor-grab active:cursor-grabbing'}`}
            >
              <PartsCanvas
                parts={isOutdated ? { ...preview, markBox: null } : preview}
                arrangement={arrangement}
                isShown={isMoving || isElsewhere || loadedImage !== preview.image}
              />
              {brush ? (
                <BrushMarks
                  at={painting.at}
                  path={isMoving ? stroke : []}
                  size={brush.size * subject.size}
                  shape={shape}
                  zoom={view.zoom}
                />
              ) : null}
              {showsSelected && person ? (
                <SelectedFrame {...{ person, subject, name }} zoom={view.zoom} />
              ) : null}
            </div>
          </div>
          {isStill ? (
            <p aria-hidden="true" className="appears absolute top-2 left-2">
              <span className="stamp">{before}</span>
            </p>
          ) : null}
        </div>
        <ZoomButtons zoom={view.zoom} onZoom={zoom} />
      </div>
      <p
        id={helpId}
        className="min-h-6 text-center text-[0.95rem] text-ash max-lg:hidden [@media(height<40rem)]:hidden"
      >
        {brush ? m.brushKeys : showsSelected ? fill(m.stageKeys, { name }) : null}
      </p>
      <p role="status" className="sr-only">
        {moved ? `${name}: ${moved}` : brush && painting.isPainting ? m.painting : null}
      </p>
    </>
  )
}

interface PartsCanvasProps {
  parts: PictureParts
  arrangement: Arrangement
  isShown?: boolean
  /** Long side of the canvas; people have no more pixels in it than by default. */
  sidePx?: number
}

/** Background and people as they will stand; always drawn, so that nothing waits when a hand begins to move. */
export function PartsCanvas(props: PartsCanvasProps) {
  const { parts, arrangement, isShown = true, sidePx = 1024 } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const [scratch] = useState(() => document.createElement('canvas'))
  const { width: across, height: down } = shapeOf(arrangement.aspect)
  const scale = sidePx / Math.max(across, down)
  useLayoutEffect(() => {
    const [context, other] = [canvas.current?.getContext('2d'), scratch.getContext('2d')]
    if (context && other) drawParts(context, other, parts, arrangement)
  }, [parts, arrangement, scratch])
  return (
    <canvas
      ref={canvas}
      aria-hidden="true"
      width={Math.round(across * scale)}
      height={Math.round(down * scale)}
      className={`absolute inset-0 size-full ${isShown ? '' : 'invisible'}`}
    />
  )
}

interface SelectedFrameProps {
  person: DrawnPerson
  subject: ArrangedSubject
  name: string
  zoom: number
}

/** The corners of all that is seen of who is chosen, with handles, and their name at their head (`dashboard.css`); `zoom` enlarges none of it. */
function SelectedFrame({ person, subject, name, zoom }: SelectedFrameProps) {
  const { x, y, size, turnDegrees, mirrored } = subject
  // Whom their photo cuts below is drawn down to the picture's border.
  const box = person.foot ? { ...person.box, bottom: 9 } : person.box
  const mirroredBox = { ...box, left: -box.right, right: -box.left }
  const measures = { x, y, size, turnDegrees, zoom, ...(mirrored ? mirroredBox : box) }
  const style = Object.entries(measures).map(([measure, value]) => [`--${measure}`, value] as const)
  return (
    <div aria-hidden="true" className="selected-frame" style={Object.fromEntries(style)}>
      <span className="stamp absolute top-0 whitespace-nowrap">{name}</span>
      {['top left', 'top right', 'bottom left', 'bottom right'].map((corner) => (
        <span key={corner} data-corner={corner} />
      ))}
    </div>
  )
}

interface BrushMarksProps {
  /** Where the brush is, and where it has been since it was put down, in parts of the picture. */
  at: Point | null
  path: readonly Point[]
  /** In parts of the picture's height. */
  size: number
  shape: ReturnType<typeof shapeOf>
  zoom: number
}

/** The brush, as a ring that is not enlarged by `zoom`, and the stroke that it leaves. */
function BrushMarks({ at, path, size, shape, zoom }: BrushMarksProps) {
  const { width, height } = shape
  const points = path.map(({ x, y }) => `${x * width},${y * height}`)
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${width} ${height}`}
      className="pointer-events-none absolute inset-0 size-full fill-none [stroke-linecap:round] [stroke-linejoin:round]"
    >
      {/* A point by itself is seen as a dot. */}
      <polyline
        points={[points[0], ...points].join(' ')}
        strokeWidth={size * height}
        className="stroke-amber opacity-45"
      />
      {at ? (
        <circle
          cx={at.x * width}
          cy={at.y * height}
          r={(size * height) / 2}
          strokeWidth={(0.003 * height) / zoom}
          className="stroke-bone"
        />
      ) : null}
    </svg>
  )
}

const zoomStep = 1.6

/** Enlarges the picture, at first about who is chosen, to look at an edge; for fingers, which pinch, only what can be pressed. */
function ZoomButtons({ zoom, onZoom }: { zoom: number; onZoom: (factor: number) => void }) {
  const m = useMessages('variations')
  const shown = `${Math.round(zoom * 100)} %`
  const buttons = [
    { sign: '−', label: m.zoomOut, factor: 1 / zoomStep, isAtEnd: zoom <= 1 },
    { sign: shown, label: `${shown}, ${m.zoomFit}`, factor: 1 / zoomMax, isAtEnd: zoom <= 1 },
    { sign: '+', label: m.zoomIn, factor: zoomStep, isAtEnd: zoom >= zoomMax },
  ]
  return (
    <div className="absolute top-2 right-2 flex rounded-frame border border-bone/50 bg-film/80">
      {buttons.map(({ sign, label, factor, isAtEnd }) => (
        <button
          key={factor}
          type="button"
          aria-label={label}
          className="h-11 w-11 text-2xl leading-none text-bone hover:bg-film disabled:text-ash pointer-coarse:nth-[-n+2]:disabled:hidden nth-2:w-16 nth-2:text-base nth-2:tabular-nums"
          disabled={isAtEnd}
          onClick={() => onZoom(factor)}
        >
          {sign}
        </button>
      ))}
    </div>
  )
}
