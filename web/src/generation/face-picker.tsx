import { useId, type CSSProperties } from 'react'
import { fill } from '@starside/contract/fill.ts'
import type { InspectAnswer } from '@starside/contract/generation.ts'
import { useErrorText, useMessages } from '../ui/language.tsx'
import { readingOrder } from './reading-order.ts'

interface FacePickerProps {
  faces: InspectAnswer['faces']
  /** Indexes into `faces`. */
  chosen: readonly number[]
  photo: {
    src: string | undefined
    alt: string
    width: number | undefined
    height: number | undefined
  }
  onChoose: (index: number) => void
}

/** A photo of several people whole, and below it each face as a button, as they stand; of one that can't be chosen, why. */
export function FacePicker({ faces, chosen, photo, onChoose }: FacePickerProps) {
  const m = useMessages('dashboard')
  const textOf = useErrorText()
  const id = useId()
  const order = readingOrder(faces)
  return (
    <div className="face-picker grid aspect-4/5 content-center gap-2 bg-film">
      <div className="relative">
        <img {...photo} alt={photo.alt} className="block h-auto w-full" />
        {faces.map((face, index) => (
          <label
            key={index}
            htmlFor={`${id}-${index}`}
            aria-hidden="true"
            className={`absolute cursor-pointer rounded-[50%] border-3 ${chosen.includes(index) ? 'border-accent-dark' : 'border-transparent'}`}
            style={{
              left: percent(face.x),
              top: percent(face.y),
              width: percent(face.width),
              height: percent(face.height),
            }}
          >
            <span className="sr-only">{order.indexOf(index) + 1}</span>
          </label>
        ))}
      </div>
      <div className="flex flex-wrap justify-center gap-1.5 pb-1">
        {order.map((index, place) => {
          const face = faces[index]!
          const [number, isChosen] = [place + 1, chosen.includes(index)]
          const [code] = isChosen ? [] : face.refusals
          const reason = code === undefined ? null : (textOf(code) ?? face.reason ?? '')
          const label = reason === null ? m.faceNumber : m.ofFace
          return (
            <button
              key={index}
              id={`${id}-${index}`}
              type="button"
              aria-label={fill(label, { number, reason: reason ?? '' })}
              aria-pressed={isChosen}
              aria-disabled={reason !== null}
              title={reason ?? undefined}
              className={`relative w-[var(--picked,2.75rem)] bg-no-repeat outline-3 hover:outline-bone aria-disabled:cursor-not-allowed aria-disabled:opacity-50 aria-disabled:grayscale ${isChosen ? 'outline-accent-dark forced-colors:outline-[Highlight]' : 'outline-transparent'}`}
              style={cropFace(face, photo)}
              onClick={reason === null ? () => onChoose(index) : undefined}
            >
              <span aria-hidden="true" className="face-number">
                {reason === null ? number : '×'}
              </span>
            </button>
          )
        })}
      </div>
    </div>
  )
}

/** A face alone, as the background of an element that has its aspect. */
function cropFace(
  { x, y, width, height }: InspectAnswer['faces'][number],
  { src, width: widthPx = 1, height: heightPx = 1 }: FacePickerProps['photo'],
): CSSProperties {
  return {
    aspectRatio: (width * widthPx) / (height * heightPx),
    backgroundImage: src && `url("${src}")`,
    backgroundSize: `${percent(1 / width)} ${percent(1 / height)}`,
    backgroundPosition: `${percent(x / (1 - width))} ${percent(y / (1 - height))}`,
  }
}

/** A fraction as CSS has it. */
export const percent = (fraction: number): string => `${(fraction * 100).toFixed(2)}%`
