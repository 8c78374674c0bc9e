import { useId } from 'react'

/** A row of film perforations through which the paper behind shows; purely decorative. */
export function Sprockets({ vertical = false }: { vertical?: boolean }) {
  const id = useId()
  const size = vertical ? { width: 14, height: '100%' } : { width: '100%', height: 14 }
  const step = vertical ? { width: 14, height: 27 } : { width: 27, height: 14 }
  const hole = vertical
    ? { x: 2, y: 7, width: 10, height: 13 }
    : { x: 7, y: 2, width: 13, height: 10 }
  return (
    <svg aria-hidden="true" {...size} className="block shrink-0">
      <defs>
        <pattern id={id} patternUnits="userSpaceOnUse" {...step}>
          <rect {...hole} rx="2" className="fill-hole" />
        </pattern>
      </defs>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  )
}
