import type { ReactNode } from 'react'
import drawings from './pencil-drawings.json'

interface PencilProps {
  /** A ring over a 4:5 frame, strokes along the four edges of a picture, a tick or an underline. */
  drawing: keyof typeof drawings
  className?: string
  draws?: boolean
}

/** A drawing by grease pencil. Decorative. */
export function Pencil({ drawing, className = '', draws = false }: PencilProps): ReactNode {
  const { viewBox, strokes } = drawings[drawing]
  const isAround = drawing === 'ring' || drawing === 'frame'
  return (
    <svg
      aria-hidden="true"
      viewBox={viewBox}
      preserveAspectRatio={drawing === 'tick' ? undefined : 'none'}
      className={`pointer-events-none ${isAround ? 'absolute overflow-visible' : ''} ${className}`}
    >
      {strokes.map((stroke) => (
        <path
          key={stroke.d}
          pathLength="1"
          className={`pencil-stroke ${draws ? 'pencil-draws' : ''}`}
          {...stroke}
        />
      ))}
    </svg>
  )
}
