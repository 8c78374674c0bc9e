interface PencilProps {
  className?: string
}

interface StrokeProps {
  width: number
  /** The path, in the units of the drawing's view box. */
  d: string
  opacity?: string
  /** Whether it draws itself once. */
  draws?: boolean
}

/** A hand-drawn grease-pencil ring around a 4:5 frame; place it over the frame. Decorative. */
export function PencilRing({ className = '' }: PencilProps) {
  return (
    <svg {...decoration} viewBox="0 0 400 500" className={around(className)}>
      <Stroke
        width={8}
        d="M52 62C120 8 262-22 352 34c66 44 74 176 60 272-14 100-70 186-170 206C128 534 20 470-2 352-20 244-8 120 66 44c26-26 62-44 104-52"
      />
      <Stroke
        width={3}
        opacity="0.75"
        d="M60 52C128 0 270-28 360 30c64 46 70 170 58 268-14 104-66 190-168 212C132 530 16 476-8 356"
      />
    </svg>
  )
}

/** Grease-pencil strokes along the four edges of a picture; place it around, not over it. Decorative. */
export function PencilFrame({ className = '' }: PencilProps) {
  return (
    <svg {...decoration} viewBox="0 0 400 500" className={around(className)}>
      <Stroke
        width={5}
        draws
        d="M14-2C130-6 290-5 398 0c5 130 6 370 1 500-120 4-280 5-398 1C-4 370-5 130 1-6"
      />
    </svg>
  )
}

/** A grease-pencil tick, which may draw itself once. Decorative. */
export function PencilTick({ className = '', draws = false }: PencilProps & { draws?: boolean }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 40 32" className={`pointer-events-none ${className}`}>
      <Stroke width={5} draws={draws} d="M4 17c4 3 7 7 9 12C17 18 25 8 37 3" />
    </svg>
  )
}

/** A grease-pencil underline. Decorative. */
export function PencilUnderline({ className = '' }: PencilProps) {
  return (
    <svg {...decoration} viewBox="0 0 300 16" className={`pointer-events-none ${className}`}>
      <Stroke width={5} d="M3 9C60 3 170 2 297 6 220 6 120 9 70 13" />
    </svg>
  )
}

const decoration = { 'aria-hidden': true, preserveAspectRatio: 'none' } as const

function around(className: string): string {
  return `pointer-events-none absolute overflow-visible ${className}`
}

function Stroke({ width, draws = false, ...path }: StrokeProps) {
  return (
    <path
      pathLength="1"
      strokeWidth={width}
      className={`pencil-stroke ${draws ? 'pencil-draws' : ''}`}
      {...path}
    />
  )
}
