import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'
import { call } from './call.ts'

/** The settings, or the one request for them. */
export const known: { settings?: Promise<PublicSettingsAnswer> | undefined } = {}

/** The settings in the page, else asked for once; a failed request is tried again by the next caller. */
export function loadPublicSettings(): Promise<PublicSettingsAnswer> {
  known.settings ??=
    readBootSettings() ??
    call('GET /api/config').catch((error: unknown) => {
      known.settings = undefined
      throw error
    })
  return known.settings
}

/** What the server wrote into the page; undefined on Vite's own server, which writes nothing. */
function readBootSettings(): Promise<PublicSettingsAnswer> | undefined {
  const text = document.getElementById('settings')?.textContent
  // Our own server's words, in the shape of its answer.
  return text ? Promise.resolve(JSON.parse(text) as PublicSettingsAnswer) : undefined
}
