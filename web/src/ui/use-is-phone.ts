import { useState } from 'react'
import { useListener } from './use-listener.ts'

/** Whether the window is as narrow as a phone's, where parts stand in another order. */
export const isPhoneNow = (): boolean => matchMedia('(width < 48rem)').matches

/** The same as the window changes, as when a phone is turned. */
export function useIsPhone(): boolean {
  const [isPhone, setPhone] = useState(isPhoneNow)
  useListener('resize', () => setPhone(isPhoneNow()))
  return isPhone
}
