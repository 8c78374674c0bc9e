/** A `ref` that shows a part as soon as it comes, clear of the bar below; an effect could undo what browsers answer. */
export function bringIntoView(part: HTMLElement | null): void {
  part?.scrollIntoView({ block: 'nearest' })
}
