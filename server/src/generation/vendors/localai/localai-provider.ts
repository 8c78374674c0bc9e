import { callVendor } from '../call-vendor.ts'
import { photosOf } from '../hosted-provider.ts'
import type { DirectProvider, ImageRequest } from '../hosted-provider.ts'
import { limitsOf } from '../models/limits-of.ts'
import {
  answerBytesMax,
  authorizationOf,
  probeModel,
  readImages,
} from '../openai/openai-answers.ts'
import { plainFields } from '../openai/openai-provider.ts'
import type { OpenaiOptions } from '../openai/openai-provider.ts'

/**
 * LocalAI, which has no `images/edits`: the photos go as `ref_images` of `images/generations`, in
 * bare base64. https://localai.io/features/image-generation/
 */
export function createLocalaiProvider(options: OpenaiOptions): DirectProvider {
  return {
    kind: 'direct',
    name: options.name,
    ...limitsOf(options.card, options.priceMicroUsd),

    async generate(request, signal) {
      const answer = await callVendor(options.fetch, `${options.baseUrl}/images/generations`, {
        method: 'POST',
        headers: { ...authorizationOf(options), 'content-type': 'application/json' },
        body: JSON.stringify(buildBody(options, request)),
        timeoutMs: options.timeoutMs,
        bytesMax: answerBytesMax,
        signal,
      })
      return await readImages(options, answer, { count: request.count, signal })
    },

    probe: (signal) => probeModel(options, signal),
  }
}

function buildBody(options: OpenaiOptions, request: ImageRequest): object {
  const photos = photosOf(request)
  return {
    // What stands behind a bar is taken for what the picture must not show.
    ...plainFields(options, { ...request, prompt: request.prompt.replaceAll('|', ' ') }),
    ref_images: photos.map(({ bytes }) => Buffer.from(bytes).toString('base64')),
  }
}
