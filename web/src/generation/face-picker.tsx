import { useId, type CSSProperties } from 'react'
import { fill } from '@starside/contract/fill.ts'
import type { InspectAnswer } from '@starside/contract/generation.ts'
import { useErrorText, useMessages } from '../ui/language.tsx'
import { bringIntoView } from '../ui/bring-into-view.ts'
import { readingOrder } from './reading-order.ts'

interface FacePickerProps {
  faces: InspectAnswer['faces']
  /** Indexes into `faces`. */
  chosen: readonly number[]
  photo: Record<'width' | 'height', number | undefined> & { src: string | undefined; alt: string }
  onChoose: (index: number) => void
}

/** A photo of several people whole, and below it each face as a button, as they stand; of one that can't be chosen, why. */
export function FacePicker({ faces, chosen, photo, onChoose }: FacePickerProps) {
  const m = useMessages('dashboard')
  const textOf = useErrorText()
  const id = useId()
  const picks = readingOrder(faces).map((index, place) => {
    const face = faces[index]!
    const [number, isChosen] = [place + 1, chosen.includes(index)]
    const [code] = isChosen ? [] : face.refusals
    const reason = code && (textOf(code) ?? face.reason ?? code)
    const label = reason ? fill(m.ofFace, { number, reason }) : fill(m.faceNumber, { number })
    return { index, face, number, isChosen, code, reason, label }
  })
  // What is wrong, without what to do about it.
  const refused = Map.groupBy(picks, ({ reason }) => reason?.replace(/(?<=[.。]).*/u, ''))
  const several: Record<string, string | undefined> = m.severalRefused
  return (
    <div className="face-picker grid md:aspect-4/5 xl:aspect-auto content-center gap-2 bg-film">
      <div ref={chosen.length > 0 ? undefined : bringIntoView} className="relative">
        <img {...photo} alt={photo.alt} className="block h-auto w-full" />
        {picks.map(({ index, face: { x, y, width, height }, number, isChosen }) => (
          <label
            key={index}
            htmlFor={`${id}-${index}`}
            aria-hidden="true"
            className={`absolute cursor-pointer ${isChosen ? 'border-accent-dark' : 'border-transparent'}`}
            style={{ inset: [y, 1 - x - width, 1 - y - height, x].map(percent).join(' ') }}
          >
            <span className="sr-only">{number}</span>
          </label>
        ))}
      </div>
      <div className="flex flex-wrap justify-center gap-1.5 pb-1">
        {picks.map(({ index, face, number, isChosen, reason, label }) => (
          <button
            key={index}
            id={`${id}-${index}`}
            type="button"
            aria-label={label}
            aria-pressed={isChosen}
            aria-disabled={reason !== undefined}
            className={`relative w-[var(--picked,2.75rem)] bg-no-repeat outline-3 hover:outline-bone aria-disabled:cursor-not-allowed ${isChosen ? 'outline-accent-dark forced-colors:outline-[Highlight]' : 'outline-transparent'}`}
            style={cropFace(face, photo)}
            onClick={reason === undefined ? () => onChoose(index) : undefined}
          >
            <span aria-hidden="true" className="face-number">
              {number}
            </span>
          </button>
        ))}
      </div>
      {[...refused].map(([reason, those]) =>
        reason === undefined ? null : (
          <p key={reason} className="text-center text-[0.9rem] leading-snug text-ash">
            {fill(those.length > 1 ? (several[those[0]?.code ?? ''] ?? m.ofFaces) : m.ofFace, {
              number: those.map(({ number }) => number).join(', '),
              count: those.length,
              reason,
            })}
          </p>
        ),
      )}
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
