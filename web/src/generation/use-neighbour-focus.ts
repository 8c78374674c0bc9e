import { useEffect, useRef, type RefObject } from 'react'

/** Gives the focus to the neighbour of a frame of `group` (`data-frame`) that was told to go, once gone. */
export function useNeighbourFocus(
  group: RefObject<HTMLElement | null>,
  ids: readonly string[],
): (id: string) => void {
  const leaving = useRef<{ id: string; neighbour: string | undefined } | null>(null)
  useEffect(() => {
    if (leaving.current === null || ids.includes(leaving.current.id)) return
    const { neighbour } = leaving.current
    leaving.current = null
    const isLost = document.activeElement === document.body || document.activeElement === null
    if (!isLost || neighbour === undefined) return
    const frame = group.current?.querySelector(`[data-frame="${CSS.escape(neighbour)}"]`)
    frame?.querySelector('button')?.focus()
  })
  return (id) => {
    const at = ids.indexOf(id)
    leaving.current = { id, neighbour: ids[at + 1] ?? ids[at - 1] }
  }
}
