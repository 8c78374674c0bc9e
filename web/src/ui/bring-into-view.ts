import { flushSync } from 'react-dom'

/** A `ref` that shows a part as soon as it comes, clear of the bar below; an effect could undo what browsers answer. */
export function bringIntoView(part: HTMLElement | null): void {
  part?.scrollIntoView({ block: 'nearest' })
}

/** Does what makes a part of the page come, in the place of what was pressed, and goes on there. */
export function leadOn(act: () => void, id: string): void {
  flushSync(act)
  const part = document.getElementById(id)
  part?.focus()
  // The focus alone leaves what is partly in view where it is, below the bar.
  bringIntoView(part?.closest('section') ?? null)
}
