import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  optionalText,
  optionalUrl,
  readJsonObject,
  trimSlash,
} from '../platform/settings/fields.ts'
import { SettingsError } from '../platform/settings/settings-error.ts'
import { loadGraph } from './comfyui/comfyui-graph.ts'
import { createComfyuiProvider } from './comfyui/comfyui-provider.ts'
import { createFalProvider, falQueueUrl } from './fal/fal-provider.ts'
import { createFalWebhookVerifier, falKeySetUrl } from './fal/fal-webhook.ts'
import { createGoogleProvider } from './google/google-provider.ts'
import { defineVendor, required } from './image-vendor.ts'
import { createOpenaiProvider } from './openai/openai-provider.ts'
import type { VendorName } from './vendor-names.ts'

const plainValue = z.union([z.string(), z.number(), z.boolean()])

const fal = defineVendor({
  variables: { FAL_KEY: optionalText, FAL_QUEUE_URL: optionalUrl, FAL_KEY_SET_URL: optionalUrl },
  knownHosts: { 'queue.fal.run': 'fal.ai' },
  configure({ FAL_KEY, FAL_QUEUE_URL, FAL_KEY_SET_URL: keySetUrl = falKeySetUrl }) {
    const apiKey = required('fal', { FAL_KEY })
    const queueUrl = trimSlash(FAL_QUEUE_URL) ?? falQueueUrl
    return {
      photosGoTo: queueUrl,
      openProvider: (parts) => createFalProvider({ apiKey, queueUrl, ...parts }),
      openWebhooks: (parts) => createFalWebhookVerifier({ keySetUrl, ...parts }),
    }
  },
})

const openai = defineVendor({
  variables: {
    OPENAI_BASE_URL: optionalUrl,
    OPENAI_API_KEY: optionalText,
    OPENAI_EXTRA_JSON: optionalText,
  },
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
})

const google = defineVendor({
  variables: { GOOGLE_API_KEY: optionalText, GOOGLE_BASE_URL: optionalUrl },
  knownHosts: { 'generativelanguage.googleapis.com': 'Google' },
  configure({ GOOGLE_API_KEY, GOOGLE_BASE_URL }) {
    const apiKey = required('google', { GOOGLE_API_KEY })
    const baseUrl = trimSlash(GOOGLE_BASE_URL) ?? 'https://generativelanguage.googleapis.com/v1beta'
    return {
      photosGoTo: baseUrl,
      openProvider: (parts) => createGoogleProvider({ baseUrl, apiKey, ...parts }),
    }
  },
})

/** stable-diffusion.cpp's `sd-server`: OpenAI's edits, but it cuts photos, so we fit them first. */
const sdcpp = defineVendor({
  variables: { SDCPP_BASE_URL: optionalUrl },
  knownHosts: {},
  configure({ SDCPP_BASE_URL }) {
    const baseUrl = required('sdcpp', { SDCPP_BASE_URL: trimSlash(SDCPP_BASE_URL) })
    const server = { name: 'sdcpp', baseUrl, apiKey: undefined, extraFields: {} } as const
    return {
      photosGoTo: baseUrl,
      isOwnServer: true,
      openProvider: (parts) => createOpenaiProvider({ ...server, ...parts }),
    }
  },
})

const comfyui = defineVendor({
  variables: { COMFYUI_BASE_URL: optionalUrl, COMFYUI_GRAPH_FOLDER: optionalText },
  knownHosts: {},
  configure({ COMFYUI_BASE_URL, COMFYUI_GRAPH_FOLDER: ownFolder }) {
    const baseUrl = required('comfyui', { COMFYUI_BASE_URL: trimSlash(COMFYUI_BASE_URL) })
    return {
      photosGoTo: baseUrl,
      isOwnServer: true,
      openProvider: (parts) => {
        const graph = loadGraph(parts.card.model, ownFolder)
        return createComfyuiProvider({ baseUrl, graph, newId: randomUUID, ...parts })
      },
    }
  },
})

/** Every vendor of hosted image models. */
export const imageVendors = { fal, openai, google, sdcpp, comfyui } satisfies Record<
  VendorName,
  object
>

/** The variables of all vendors; part of the environment's schema. */
export const vendorVariables = {
  ...fal.variables,
  ...openai.variables,
  ...google.variables,
  ...sdcpp.variables,
  ...comfyui.variables,
}
