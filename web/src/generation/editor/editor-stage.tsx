import type { Arrangement } from '@starside/contract/arrangement.ts'
import type { LayersAnswer } from '@starside/contract/variations.ts'
import { useMessages } from '../../ui/language.tsx'
import type { Preview } from './use-preview.ts'
import { useDrag } from './use-drag.ts'

interface EditorStageProps {
  layers: LayersAnswer
  arrangement: Arrangement
  /** The last picture of the server; null before the first. */
  preview: Preview | null
  /** Whether that picture is hidden behind the parts that are being moved. */
  isMoving: boolean
  selected: number
  onSelect: (index: number) => void
  onMove: (arrangement: Arrangement) => void
  onLift: () => void
}

/** Of the screen's height; below it there is room for a slider and the buttons on a phone too. */
const heightMaxShare = 48

/** The picture, in which people are dragged: their parts while they move, then the server's picture. */
export function EditorStage(props: EditorStageProps) {
  const m = useMessages('variations')
  const { layers, arrangement, preview, isMoving, selected } = props
  const drag = useDrag(props)
  const [across = 4, down = 5] = arrangement.aspect.split(':').map(Number)
  return (
    <div
      {...drag}
      className="relative mx-auto touch-none overflow-hidden bg-film select-none"
      style={{
        aspectRatio: `${across} / ${down}`,
        width: `min(100%, ${(heightMaxShare * across) / down}dvh)`,
      }}
    >
      {isMoving || preview === null ? (
        <Parts layers={layers} arrangement={arrangement} selected={selected} />
      ) : (
        <img
          src={`data:image/jpeg;base64,${preview.answer.image}`}
          alt={m.previewAlt}
          draggable={false}
          className="pointer-events-none absolute inset-0 size-full object-contain"
        />
      )}
    </div>
  )
}

/** Background and people as layers that the browser moves by itself, at its own pace. */
function Parts({
  layers: { people, background },
  arrangement,
  selected,
}: Pick<EditorStageProps, 'layers' | 'arrangement' | 'selected'>) {
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
        // One pixel of the layer in hundredths of the stage's height.
        const unit = (subject.size / layer.headSize) * 100
        const { headX, headY, widthPx, heightPx } = layer
        return (
          <img
            key={index}
            src={`data:image/webp;base64,${layer.image}`}
            alt=""
            draggable={false}
            className={`absolute top-0 left-0 max-w-none ${index === selected ? 'drop-shadow-[0_0_3px_var(--color-amber)]' : ''}`}
            style={{
              width: `${widthPx * unit}cqh`,
              transformOrigin: `${(headX / widthPx) * 100}% ${(headY / heightPx) * 100}%`,
              transform: `translate(calc(${subject.x * 100}cqw - ${headX * unit}cqh), ${subject.y * 100 - headY * unit}cqh) rotate(${subject.turnDegrees}deg) scaleX(${subject.mirrored ? -1 : 1})`,
            }}
          />
        )
      })}
    </div>
  )
}
