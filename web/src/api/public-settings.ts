import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'
import { call } from './call.ts'

let settings: Promise<PublicSettingsAnswer> | undefined

/** The settings, asked for once per page load; a failed request is tried again by the next caller. */
export function loadPublicSettings(): Promise<PublicSettingsAnswer> {
  settings ??= call('GET /api/config').catch((error: unknown) => {
    settings = undefined
    throw error
  })
  return settings
}
