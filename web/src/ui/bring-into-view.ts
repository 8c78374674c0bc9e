import { flushSync } from 'react-dom'

/** A `ref` that shows a part as soon as it comes, clear of the bar below; an effect could undo what browsers answer. */
export function bringIntoView(part: Element | null): void {
  part?.scrollIntoView({ block: 'nearest' })
}

/** The same of the work and its picture: on a desk the strip around them begins at the window's upper edge. */
export function bringWorkIntoView(part: Element | null): void {
  const strip = matchMedia('(width >= 80rem)').matches ? part?.closest('.film-strip') : null
  if (strip) strip.scrollIntoView()
  else bringIntoView(part)
}

/** Does what makes a part of the page come, in the place of what was pressed, and goes on there. */
export function leadOn(act: () => void, id: string): void {
  flushSync(act)
  const part = document.getElementById(id)
  part?.focus()
  // The focus alone leaves what is partly in view where it is, below the bar.
  bringIntoView(part?.closest('section') ?? null)
}
