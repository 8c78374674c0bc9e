import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'
import { call } from './call.ts'
import { useEffect, useState } from 'react'
import { takeWhenCome } from '../ui/take-when-come.ts'

let loading: Promise<PublicSettingsAnswer> | undefined

/** The settings in the page, else asked for once; a failed request is tried again by the next caller. */
export function loadPublicSettings(): Promise<PublicSettingsAnswer> {
  loading ??=
    readBootSettings() ??
    call('GET /api/config').catch((error: unknown) => {
      loading = undefined
      throw error
    })
  return loading
}

/** What the server wrote into the page; undefined on Vite's own server, which writes nothing. */
function readBootSettings(): Promise<PublicSettingsAnswer> | undefined {
  const text = document.getElementById('settings')?.textContent
  // Our own server's words, in the shape of its answer.
  return text ? Promise.resolve(JSON.parse(text) as PublicSettingsAnswer) : undefined
}

/** The public settings once they have arrived, `null` before and when they cannot be had. */
export function usePublicSettings(): PublicSettingsAnswer | null {
  const [settings, setSettings] = useState<PublicSettingsAnswer | null>(null)
  useEffect(() => takeWhenCome(loadPublicSettings(), setSettings), [])
  return settings
}
