import { optionalText, optionalUrl, trimSlash } from '../../platform/settings/fields.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'
import type { ImageVendor } from '../image-vendor.ts'
import { createGoogleProvider } from './google-provider.ts'

const variables = {
  GOOGLE_API_KEY: optionalText,
  GOOGLE_BASE_URL: optionalUrl,
}

export const googleVendor: ImageVendor<typeof variables> = {
  variables,
  knownHosts: { 'generativelanguage.googleapis.com': 'Google' },
  configure({ GOOGLE_API_KEY: apiKey, GOOGLE_BASE_URL: ownUrl }) {
    if (apiKey === undefined) {
      throw new SettingsError('IMAGE_PROVIDERS names google, but GOOGLE_API_KEY is missing')
    }
    const baseUrl = trimSlash(ownUrl) ?? 'https://generativelanguage.googleapis.com/v1beta'
    return {
      photosGoTo: baseUrl,
      openProvider: (parts) => createGoogleProvider({ baseUrl, apiKey, ...parts }),
    }
  },
}
