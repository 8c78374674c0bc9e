import { z } from 'zod'
import {
  optionalText,
  optionalUrl,
  readJsonObject,
  trimSlash,
} from '../../platform/settings/fields.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'
import type { ImageVendor } from '../image-vendor.ts'
import { createOpenaiProvider } from './openai-provider.ts'

const variables = {
  OPENAI_BASE_URL: optionalUrl,
  OPENAI_API_KEY: optionalText,
  OPENAI_EXTRA_JSON: optionalText,
}

const plainValue = z.union([z.string(), z.number(), z.boolean()])

export const openaiVendor: ImageVendor<typeof variables> = {
  variables,
  knownHosts: { 'api.openai.com': 'OpenAI' },
  configure(env) {
    const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: ownUrl } = env
    // A server of one's own may need no key, OpenAI's does.
    if (ownUrl === undefined && apiKey === undefined) {
      throw new SettingsError(
        'IMAGE_PROVIDERS names openai: set OPENAI_API_KEY, or OPENAI_BASE_URL for another server',
      )
    }
    const baseUrl = trimSlash(ownUrl) ?? 'https://api.openai.com/v1'
    const extraFields = readJsonObject('OPENAI_EXTRA_JSON', env.OPENAI_EXTRA_JSON, plainValue)
    return {
      photosGoTo: baseUrl,
      isOwnServer: ownUrl !== undefined,
      openProvider: (parts) =>
        createOpenaiProvider({ name: 'openai', baseUrl, apiKey, extraFields, ...parts }),
    }
  },
}
