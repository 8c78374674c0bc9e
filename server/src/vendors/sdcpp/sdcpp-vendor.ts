import { optionalUrl, trimSlash } from '../../platform/settings/fields.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'
import type { ImageVendor } from '../image-vendor.ts'
import { createOpenaiProvider } from '../openai/openai-provider.ts'

const variables = {
  SDCPP_BASE_URL: optionalUrl,
}

/**
 * stable-diffusion.cpp's `sd-server`, which has OpenAI's `POST /v1/images/edits`, but cuts every
 * photo around its middle to the size that is asked for: photos are fitted to it before.
 */
export const sdcppVendor: ImageVendor<typeof variables> = {
  variables,
  knownHosts: {},
  configure({ SDCPP_BASE_URL: ownUrl }) {
    const baseUrl = trimSlash(ownUrl)
    if (baseUrl === undefined) {
      throw new SettingsError('IMAGE_PROVIDERS names sdcpp, but SDCPP_BASE_URL is missing')
    }
    const server = { name: 'sdcpp', baseUrl, apiKey: undefined, extraFields: {} } as const
    return {
      photosGoTo: baseUrl,
      isOwnServer: true,
      openProvider: (parts) => createOpenaiProvider({ ...server, ...parts }),
    }
  },
}
