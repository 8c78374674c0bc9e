import { useId, type CSSProperties } from 'react'
import { fill } from '@starside/contract/fill.ts'
import type { InspectAnswer } from '@starside/contract/generation.ts'
import { useErrorText, useMessages } from '../ui/language.tsx'

interface FacePickerProps {
  faces: InspectAnswer['faces']
  /** Indexes into `faces`. */
  chosen: readonly number[]
  photo: {
    address: string | null
    alt: string
    width: number | undefined
    height: number | undefined
  }
  onChoose: (index: number) => void
}

/** A photo of several people whole, and below it each face as a button; of one that can't be chosen, why. */
export function FacePicker({ faces, chosen, photo, onChoose }: FacePickerProps) {
  const m = useMessages('dashboard')
  const textOf = useErrorText()
  const id = useId()
  const { address, alt, ...size } = photo
  return (
    <>
      <div className="relative">
        <img src={address ?? undefined} alt={alt} {...size} className="block h-auto w-full" />
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
            <span className="sr-only">{index + 1}</span>
          </label>
        ))}
      </div>
      <div className="flex flex-wrap justify-center gap-1.5 pb-1">
        {faces.map((face, index) => {
          const [number, isChosen] = [index + 1, chosen.includes(index)]
          const [code] = isChosen ? [] : face.refusals
          const reason = code === undefined ? null : (textOf(code) ?? face.reason ?? '')
          const name = fill(m.faceNumber, { number })
          return (
            <button
              key={index}
              id={`${id}-${index}`}
              type="button"
              aria-label={reason === null ? name : fill(m.ofFace, { number, reason })}
              aria-pressed={isChosen}
              aria-disabled={reason !== null}
              title={reason ?? undefined}
              className={`relative w-[var(--picked,2.75rem)] bg-no-repeat outline-3 hover:outline-bone aria-disabled:cursor-not-allowed aria-disabled:opacity-50 aria-disabled:grayscale ${isChosen ? 'outline-accent-dark' : 'outline-transparent'}`}
              style={cropFace(face, photo)}
              onClick={reason === null ? () => onChoose(index) : undefined}
            >
              <span
                aria-hidden="true"
                className="stamp absolute right-0 bottom-0 origin-bottom-right scale-75"
              >
                {reason !== null ? '×' : isChosen ? `${number} ✓` : number}
              </span>
            </button>
          )
        })}
      </div>
    </>
  )
}

/** A face alone, as the background of an element that has its aspect. */
function cropFace(
  { x, y, width, height }: InspectAnswer['faces'][number],
  photo: FacePickerProps['photo'],
): CSSProperties {
  const { address, width: widthPx = 1, height: heightPx = 1 } = photo
  return {
    aspectRatio: (width * widthPx) / (height * heightPx),
    backgroundImage: address === null ? undefined : `url("${address}")`,
    backgroundSize: `${percent(1 / width)} ${percent(1 / height)}`,
    backgroundPosition: `${percent(x / (1 - width))} ${percent(y / (1 - height))}`,
  }
}

/** A fraction as CSS has it. */
export const percent = (fraction: number): string => `${(fraction * 100).toFixed(2)}%`
