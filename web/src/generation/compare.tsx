import { useState } from 'react'
import { useMessages } from '../ui/language.tsx'

/** Two pictures over each other; a slider moves the edge between them. */
export function Compare(props: {
  before: string
  after: string
  beforeAlt: string
  afterAlt: string
}) {
  const m = useMessages('dashboard')
  const [percent, setPercent] = useState(50)
  return (
    <div>
      <div className="relative aspect-4/5 overflow-hidden bg-black">
        <img
          src={props.after}
          alt={props.afterAlt}
          className="absolute inset-0 size-full object-contain"
        />
        <img
          src={props.before}
          alt={props.beforeAlt}
          className="absolute inset-0 size-full bg-black object-contain"
          style={{ clipPath: `inset(0 ${100 - percent}% 0 0)` }}
        />
        <div
          aria-hidden="true"
          className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-safelight"
          style={{ left: `${percent}%` }}
        />
        <span className="stamp absolute top-2 left-2">{m.before}</span>
        <span className="stamp absolute top-2 right-2">{m.after}</span>
      </div>
      <input
        type="range"
        min={0}
        max={100}
        value={percent}
        aria-label={m.compareLabel}
        aria-valuetext={`${percent} %`}
        className="mt-2 h-8 w-full accent-safelight"
        onChange={(event) => setPercent(Number(event.target.value))}
      />
    </div>
  )
}
