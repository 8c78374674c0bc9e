import { useId } from 'react'
import type { ArrangedSubject, Arrangement } from '@starside/contract/arrangement.ts'
import type { LayersAnswer } from '@starside/contract/variations.ts'
import { fill } from '../../ui/fill.ts'
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
  selected: number
  onSelect: (index: number) => void
  onMove: (arrangement: Arrangement) => void
  onLift: () => void
}

/** Of the screen's height; below it there is room for a slider and the buttons on a phone too. */
const heightMaxShare = 48

/** Layers are drawn for heads of this part of the picture's height, and scaled from there. */
const drawnSize = 0.35

/**
 * The picture, in which people are moved by fingers or keys: their parts while they move, then the
 * server's picture.
 */
export function EditorStage(props: EditorStageProps) {
  'use memo'
  const m = useMessages('variations')
  const { layers, arrangement, preview, isMoving, isStill, selected } = props
  const drag = useDrag(props)
  const { moved, ...keys } = useKeys(props)
  const helpId = useId()
  const name = props.names[selected] ?? ''
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
      className={`relative mx-auto touch-none overflow-hidden bg-film select-none ${isStill ? 'pointer-events-none' : ''}`}
      style={{
        aspectRatio: `${across} / ${down}`,
        width: `min(100%, ${(heightMaxShare * across) / down}dvh)`,
      }}
    >
      {/* Always there, so that nothing has to be decoded when a hand begins to move. */}
      <Parts layers={layers} arrangement={arrangement} selected={selected} />
      {preview === null ? null : (
        <img
          src={`data:image/jpeg;base64,${preview.answer.image}`}
          alt={m.previewAlt}
          draggable={false}
          className={`pointer-events-none absolute inset-0 size-full bg-film object-contain ${isMoving ? 'invisible' : ''}`}
        />
      )}
    </div>
  )
  return (
    <>
      {stage}
      <p id={helpId} className="mt-2 text-[0.95rem] text-ash max-md:hidden">
        {fill(m.stageKeys, { name })}
      </p>
      <p role="status" className="sr-only">
        {moved ? `${name}: ${moved}` : null}
      </p>
    </>
  )
}

/** Background and people as layers, which move by transforms alone: no move lays anything out. */
function Parts({
  layers: { people, background },
  arrangement,
  selected,
}: Pick<EditorStageProps, 'layers' | 'arrangement' | 'selected'>) {
  'use memo'
  const chosen = arrangement.subjects[selected]
  return (
    <div aria-hidden="true" className="absolute inset-0 [container-type:size]">
      <img
        src={`data:image/webp;base64,${background.image}`}
        alt=""
        className="absolute inset-0 size-full object-cover blur-sm"
      />
      {arrangement.frontToBack.toReversed().map((index) => {
        const layer = people[index]
        const subject = arrangement.subjects[index]
        if (!layer || !subject) return null
        const unit = (drawnSize / layer.headSize) * 100
        const { headX, headY, widthPx, heightPx } = layer
        return (
          <img
            key={index}
            src={`data:image/webp;base64,${layer.image}`}
            alt=""
            draggable={false}
            className="absolute top-0 left-0 max-w-none will-change-transform"
            style={{
              width: `${widthPx * unit}cqh`,
              transformOrigin: `${(headX / widthPx) * 100}% ${(headY / heightPx) * 100}%`,
              transform: `${headAt(subject, headX * unit, headY * unit)} scaleX(${subject.mirrored ? -1 : 1})`,
            }}
          />
        )
      })}
      {chosen ? (
        <span
          className="absolute top-0 left-0 rounded-full border-2 border-amber will-change-transform"
          style={{
            width: `${drawnSize * 100}cqh`,
            height: `${drawnSize * 100}cqh`,
            transform: headAt(chosen, drawnSize * 50, drawnSize * 50),
          }}
        />
      ) : null}
    </div>
  )
}

/**
 * Moves what was drawn for a head of `drawnSize` to where the subject's head is.
 * @param left,top of the head's centre within what is moved, in percent of the picture's height
 */
function headAt({ x, y, size, turnDegrees }: ArrangedSubject, left: number, top: number): string {
  const place = `translate(calc(${x * 100}cqw - ${left}cqh), ${y * 100 - top}cqh)`
  return `${place} rotate(${turnDegrees}deg) scale(${size / drawnSize})`
}
