import { useEffect, useEffectEvent, type RefObject } from 'react'
import { zoomView, type PictureView } from './picture-view.ts'
import { inBox } from './use-drag.ts'

/** Turning the wheel so far enlarges to the double. */
const pixelsForDouble = 300

/** The wheel enlarges the picture about the pointer. */
export function useWheel(
  frame: RefObject<HTMLElement | null>,
  view: PictureView,
  onView: (view: PictureView) => void,
): void {
  const turn = useEffectEvent((event: WheelEvent, box: DOMRect) => {
    const at = inBox({ x: event.clientX, y: event.clientY }, box)
    onView(zoomView(view, 2 ** (-event.deltaY / pixelsForDouble), at))
  })
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault()
      turn(event, element.getBoundingClientRect())
    }
    // React listens passively, so that the page would scroll.
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [frame])
}
