import { useEffect, useEffectEvent } from 'react'

/** Hears an event of the window, also one that bubbles up to it, with what `listener` was at the last rendering. */
export function useListener<Type extends keyof WindowEventMap>(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
): void {
  const hear = useEffectEvent(listener)
  useEffect(() => {
    const heard = (event: WindowEventMap[Type]): void => hear(event)
    addEventListener(type, heard)
    return () => removeEventListener(type, heard)
  }, [type])
}
