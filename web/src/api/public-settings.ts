import { call } from './call.ts'

/** What `GET /config` tells everybody about this installation. */
export interface PublicSettings {
  host: string
  /** True when payments go to the sandbox gateway. */
  testMoney: boolean
  contactEmail: string | null
  socialUrl: string | null
  communityUrl: string | null
}

let settings: Promise<PublicSettings> | undefined

/** The settings, asked for once per page load; a failed request is tried again by the next caller. */
export function loadPublicSettings(): Promise<PublicSettings> {
  settings ??= call<PublicSettings>('/config').catch((error: unknown) => {
    settings = undefined
    throw error
  })
  return settings
}
