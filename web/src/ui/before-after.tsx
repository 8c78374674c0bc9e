import type { ReactNode } from 'react'
import { useMessages } from './language.tsx'

function moveEdge(slider: HTMLInputElement | null): void {
  slider?.parentElement?.style.setProperty('--edge', `${slider.value}%`)
}

/**
 * Two pictures of one size over each other; a range input over both moves the edge between them, by
 * pointer, by touch and by arrow keys. Where the edge is stands in a custom property, so that moving
 * it renders nothing, and the page can be prerendered without style attributes. It is read once at
 * the start too: whoever moved the edge before the page was hydrated told React of no change.
 */
export function BeforeAfter({ before, after }: { before: ReactNode; after: ReactNode }) {
  const m = useMessages('shell')
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
        ref={moveEdge}
        onChange={(event) => moveEdge(event.currentTarget)}
      />
    </div>
  )
}
