import type { ChangeEvent, ReactNode } from 'react'
import { useMessages } from './language.tsx'

/**
 * Two pictures of one size over each other; a range input over both moves the edge between them, by
 * pointer, by touch and by arrow keys. Where the edge is stands in a custom property, so that moving
 * it renders nothing, and the page can be prerendered without style attributes.
 */
export function BeforeAfter({ before, after }: { before: ReactNode; after: ReactNode }) {
  const m = useMessages('shell')
  const move = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void =>
    currentTarget.parentElement?.style.setProperty('--edge', `${currentTarget.value}%`)
  return (
    <div className="before-after">
      {after}
      <span aria-hidden="true" className="stamp absolute top-2 z-1 right-2">
        {m.after}
      </span>
      <div>{before}</div>
      <span aria-hidden="true" className="stamp absolute top-2 z-1 left-2">
        {m.before}
      </span>
      <input
        type="range"
        autoComplete="off"
        defaultValue={22}
        aria-label={m.compareLabel}
        onChange={move}
      />
    </div>
  )
}
