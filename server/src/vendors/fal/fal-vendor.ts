import { optionalText, optionalUrl, trimSlash } from '../../platform/settings/fields.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'
import type { ImageVendor } from '../image-vendor.ts'
import { createFalProvider, falQueueUrl } from './fal-provider.ts'
import { createFalWebhookVerifier, falKeySetUrl } from './fal-webhook.ts'

const variables = {
  FAL_KEY: optionalText,
  FAL_QUEUE_URL: optionalUrl,
  FAL_KEY_SET_URL: optionalUrl,
}

export const falVendor: ImageVendor<typeof variables> = {
  variables,
  knownHosts: { 'queue.fal.run': 'fal.ai' },
  configure(env) {
    const { FAL_KEY: apiKey, FAL_KEY_SET_URL: keySetUrl = falKeySetUrl } = env
    if (apiKey === undefined) {
      throw new SettingsError('IMAGE_PROVIDERS names fal, but FAL_KEY is missing')
    }
    const queueUrl = trimSlash(env.FAL_QUEUE_URL) ?? falQueueUrl
    return {
      photosGoTo: queueUrl,
      openProvider: (parts) => createFalProvider({ apiKey, queueUrl, ...parts }),
      openWebhooks: (parts) => createFalWebhookVerifier({ keySetUrl, ...parts }),
    }
  },
}
