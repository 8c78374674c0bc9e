import { optionalText, optionalUrl, trimSlash } from '../../../settings/fields.ts'
import { SettingsError } from '../../../settings/settings-error.ts'
import type { ImageVendor } from '../image-vendor.ts'
import { createLocalaiProvider } from './localai-provider.ts'

const variables = {
  LOCALAI_BASE_URL: optionalUrl.meta({ description: 'A LocalAI, with `/v1` at its end.' }),
  LOCALAI_API_KEY: optionalText.meta({ description: 'Its key, where it asks for one.' }),
}

export const localaiVendor: ImageVendor<typeof variables> = {
  variables,
  knownHosts: {},
  configure({ LOCALAI_BASE_URL: ownUrl, LOCALAI_API_KEY: apiKey }) {
    const baseUrl = trimSlash(ownUrl)
    if (baseUrl === undefined) {
      throw new SettingsError('IMAGE_PROVIDERS names localai, but LOCALAI_BASE_URL is missing')
    }
    const server = { name: 'localai', baseUrl, apiKey, extraFields: {} } as const
    return {
      photosGoTo: baseUrl,
      openProvider: (parts) => createLocalaiProvider({ ...server, ...parts }),
    }
  },
}
