import { useRef, type KeyboardEvent } from 'react'

/** Arrow keys, Home and End among buttons, one stop for Tab (ARIA Authoring Practices, "roving tabindex"). */
export function useRovingFocus() {
  const group = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const buttons = [...(group.current?.querySelectorAll('button') ?? [])]
    const from = buttons.findIndex((button) => button === document.activeElement)
    // Rows are found by where buttons stand: shelf or grid.
    const tops = buttons.map((button) => button.offsetTop)
    const columns = tops.filter((top) => top === tops[0]).length
    const steps: Record<string, number> = {
      ArrowRight: from + 1,
      ArrowLeft: from - 1,
      ArrowDown: from + (columns < buttons.length ? columns : 1),
      ArrowUp: from - (columns < buttons.length ? columns : 1),
      Home: 0,
      End: buttons.length - 1,
    }
    const to = buttons[steps[event.key] ?? -1]
    if (from < 0 || !to) return
    event.preventDefault()
    to.focus()
  }
  return { group, onKeyDown }
}
