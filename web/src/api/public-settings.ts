import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'
import { call } from './call.ts'

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
