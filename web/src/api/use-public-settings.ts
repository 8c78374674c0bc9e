import { useEffect, useState } from 'react'
import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'
import { takeWhenCome } from '../ui/take-when-come.ts'
import { loadPublicSettings } from './public-settings.ts'

/** The public settings once they have arrived, `null` before and when they cannot be had. */
export function usePublicSettings(): PublicSettingsAnswer | null {
  const [settings, setSettings] = useState<PublicSettingsAnswer | null>(null)
  useEffect(() => takeWhenCome(loadPublicSettings(), setSettings), [])
  return settings
}
