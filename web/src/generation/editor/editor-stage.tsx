import { useId, type CSSProperties } from 'react'
import type { ArrangedSubject, Arrangement } from '@starside/contract/arrangement.ts'
import type { LayersAnswer } from '@starside/contract/variations.ts'
import { fill } from '@starside/contract/fill.ts'
import { useMessages } from '../../ui/language.tsx'
import type { Preview } from './use-preview.ts'
import { useDrag } from './use-drag.ts'
import { useKeys } from './use-keys.ts'

interface EditorStageProps {
  layers: LayersAnswer
  arrangement: Arrangement
  /** What each subject is called. */
  names: readonly string[]
  /** The last picture of the server; null before the first. */
  preview: Preview | null
  /** Whether that picture is hidden behind the parts that are being moved. */
  isMoving: boolean
  /** Nobody can be moved, as while the picture before is shown. */
  isStill: boolean
  /** Whether a frame stands about who is chosen. */
  showsSelected: boolean
  selected: number
  onSelect: (index: number) => void
  onMove: (arrangement: Arrangement) => void
  onLift: () => void
}

/** Layers are drawn for heads of this part of the picture's height, and scaled from there. */
const drawnSize = 0.35

/**
 * The picture, in which people are moved by fingers or keys: their parts while they move, then the
 * server's picture.
 */
export function EditorStage(props: EditorStageProps) {
  'use memo'
  const m = useMessages('variations')
  const { layers, arrangement, preview, isMoving, isStill, showsSelected, selected } = props
  const drag = useDrag(props)
  const { moved, ...keys } = useKeys(props)
  const helpId = useId()
  const name = props.names[selected] ?? ''
  // In an instant picture people stand elsewhere than where they are moved.
  const showsFrame = showsSelected && (isMoving || arrangement.look !== 'instant')
  const [across = 4, down = 5] = arrangement.aspect.split(':').map(Number)
  const stage = (
    <div
      {...drag}
      {...keys}
      role="application"
      aria-label={m.stage}
      aria-describedby={helpId}
      // The keys move people here, so that it is a stop for Tab.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={`relative m-auto touch-none overflow-hidden bg-film select-none [container-type:size] ${isStill ? 'pointer-events-none' : ''}`}
      style={{
        aspectRatio: `${across} / ${down}`,
        width: `min(100cqw, ${(100 * across) / down}cqh)`,
      }}
    >
      {/* Always there, so that nothing has to be decoded when a hand begins to move. */}
      <Parts layers={layers} arrangement={arrangement} />
      {preview === null ? null : (
        <img
          src={`data:image/jpeg;base64,${preview.answer.image}`}
          alt={m.previewAlt}
          draggable={false}
          className={`pointer-events-none absolute inset-0 size-full bg-film object-contain ${isMoving ? 'invisible' : ''}`}
        />
      )}
      {isMoving ? <Thirds /> : null}
      {showsFrame ? <SelectedFrame subject={arrangement.subjects[selected]} name={name} /> : null}
    </div>
  )
  return (
    <>
      {/* The picture fills what the other parts leave; below it there is room for a slider on a phone too. */}
      <div className="grid h-[44dvh] [container-type:size] lg:h-auto lg:min-h-0 lg:flex-1">
        {stage}
      </div>
      <p id={helpId} className="text-center text-[0.95rem] text-ash max-lg:hidden">
        {fill(m.stageKeys, { name })}
      </p>
      <p role="status" className="sr-only">
        {moved ? `${name}: ${moved}` : null}
      </p>
    </>
  )
}

type Layer = LayersAnswer['people'][number]

/** Background and people as layers, which move by transforms alone: no move lays anything out. */
function Parts({
  layers: { people, background },
  arrangement,
}: Pick<EditorStageProps, 'layers' | 'arrangement'>) {
  'use memo'
  return (
    <div aria-hidden="true" className="absolute inset-0">
      <img
        src={`data:image/webp;base64,${background.image}`}
        alt=""
        className="absolute inset-0 size-full scale-105 object-cover blur-sm"
      />
      {arrangement.frontToBack.toReversed().map((index) => {
        const layer = people[index]
        const subject = arrangement.subjects[index]
        if (!layer || !subject) return null
        return (
          <img
            key={index}
            src={`data:image/webp;base64,${layer.image}`}
            alt=""
            draggable={false}
            className="absolute top-0 left-0 max-w-none will-change-transform"
            style={layerStyle(layer, subject)}
          />
        )
      })}
    </div>
  )
}

/** Height and width of the frame about a head, in head sizes. */
const frameHeight = 1.4
const frameWidth = 1.1

interface SelectedFrameProps {
  subject: ArrangedSubject | undefined
  name: string
}

/** A frame about the head of who is chosen, with their name. */
function SelectedFrame({ subject, name }: SelectedFrameProps) {
  if (!subject) return null
  const { x, y, size, turnDegrees } = subject
  const [width, height] = [frameWidth * drawnSize * 100, frameHeight * drawnSize * 100]
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-0 left-0 border-2 border-amber will-change-transform"
      style={{
        width: `${width}cqh`,
        height: `${height}cqh`,
        transform: poseOf({ x, y, size, turnDegrees }, width / 2, height / 2),
      }}
    >
      <span className="stamp absolute -top-0.5 -left-0.5">{name}</span>
    </div>
  )
}

/** Lines at the thirds of the picture, while somebody is moved. */
function Thirds() {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 grid grid-cols-3 grid-rows-3 *:border-bone/40"
    >
      <span className="col-start-2 row-span-3 border-x" />
      <span className="col-span-3 col-start-1 row-start-2 border-y" />
    </div>
  )
}

/** How a subject's layer is drawn for a head of `drawnSize` and moved to where the head is. */
function layerStyle(layer: Layer, subject: ArrangedSubject): CSSProperties {
  const { headX, headY, headSize, widthPx, heightPx } = layer
  const unit = (drawnSize / headSize) * 100
  return {
    width: `${widthPx * unit}cqh`,
    transformOrigin: `${(headX / widthPx) * 100}% ${(headY / heightPx) * 100}%`,
    transform: `${poseOf(subject, headX * unit, headY * unit)} scaleX(${subject.mirrored ? -1 : 1})`,
  }
}

type Pose = Pick<ArrangedSubject, 'x' | 'y' | 'size' | 'turnDegrees'>

/**
 * Moves what was drawn for a head of `drawnSize` to where the subject's head is.
 * @param left,top of the head's centre within what is moved, in percent of the picture's height
 */
function poseOf({ x, y, size, turnDegrees }: Pose, left: number, top: number): string {
  const place = `translate(calc(${x * 100}cqw - ${left}cqh), ${y * 100 - top}cqh)`
  return `${place} rotate(${turnDegrees}deg) scale(${size / drawnSize})`
}
