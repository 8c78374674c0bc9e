import { readObject } from '../../../http/read-object.ts'
import { HostedError } from '../hosted-error.ts'
import type { RequestResult } from '../hosted-provider.ts'

/**
 * Finds the picture in a model's output: `images[0].url`, or `image.url` of older models. A picture
 * that the model's own filter flagged (`has_nsfw_concepts`) counts as refused, because it is black.
 */
export function readFalOutput(output: unknown): RequestResult {
  const { images, image, has_nsfw_concepts: flags } = readObject(output)
  if (Array.isArray(flags) && flags[0] === true) {
    return failed('policy_refused', 'the model’s filter flagged the picture')
  }
  const first: unknown = Array.isArray(images) ? images[0] : image
  const url = typeof first === 'string' ? first : readObject(first)['url']
  if (typeof url !== 'string' || url === '') return failed('unknown', 'the answer has no picture')
  return { state: 'picture', url }
}

function failed(kind: 'policy_refused' | 'unknown', detail: string): RequestResult {
  return { state: 'failed', error: new HostedError(kind, detail) }
}
