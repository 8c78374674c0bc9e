import { useId } from 'react'

/** A row of film perforations through which the paper behind shows; purely decorative. */
export function Sprockets() {
  const id = useId()
  return (
    <svg aria-hidden="true" width="100%" height="14" className="block shrink-0">
      <defs>
        <pattern id={id} patternUnits="userSpaceOnUse" width="27" height="14">
          <rect x="7" y="2" width="13" height="10" rx="2" className="fill-hole" />
        </pattern>
      </defs>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  )
}
