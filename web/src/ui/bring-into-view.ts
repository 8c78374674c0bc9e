/** Scrolls to an element of which less than half is in view; else the page stays where it is. */
export function bringIntoView(element: Element | null): void {
  if (!element) return
  const { top, bottom, height } = element.getBoundingClientRect()
  const shown = Math.min(bottom, innerHeight) - Math.max(top, 0)
  if (shown < height / 2) element.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
}
