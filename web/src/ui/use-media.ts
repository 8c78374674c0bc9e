import { useState } from 'react'
import { useListener } from './use-listener.ts'

/** Whether the window fits a media query, as its size changes too. */
export function useMedia(query: string): boolean {
  const [fits, setFits] = useState(() => matchMedia(query).matches)
  useListener('resize', () => setFits(matchMedia(query).matches))
  return fits
}
