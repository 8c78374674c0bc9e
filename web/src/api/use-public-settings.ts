import { useEffect, useState } from 'react'
import { loadPublicSettings, type PublicSettings } from './public-settings.ts'

/** The public settings once they have arrived, `null` before and when they cannot be had. */
export function usePublicSettings(): PublicSettings | null {
  const [settings, setSettings] = useState<PublicSettings | null>(null)
  useEffect(() => {
    let wanted = true
    loadPublicSettings().then(
      (loaded) => {
        if (wanted) setSettings(loaded)
      },
      () => undefined,
    )
    return () => {
      wanted = false
    }
  }, [])
  return settings
}
