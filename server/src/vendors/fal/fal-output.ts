import { readObject } from '../../platform/http/read-object.ts'
import { HostedError } from '../hosted-error.ts'
import type { RequestResult } from '../hosted-provider.ts'

/**
 * Finds the pictures in a model's output: `images[].url`, or `image.url` of older models. One that the
 * model's own filter flagged (`has_nsfw_concepts`) is left out, because it is black; where all are
 * flagged the request counts as refused.
 */
export function readFalOutput(output: unknown): RequestResult {
  const { images, image, has_nsfw_concepts: flags } = readObject(output)
  const isFlagged = (index: number) => Array.isArray(flags) && flags[index] === true
  const found: unknown[] = Array.isArray(images) ? images : [image]
  const urls = found
    .filter((_each, index) => !isFlagged(index))
    .map((each) => (typeof each === 'string' ? each : readObject(each)['url']))
    .filter((url): url is string => typeof url === 'string' && url !== '')
  if (urls.length > 0) return { state: 'pictures', urls }
  return found.some((_each, index) => isFlagged(index))
    ? failed('policy_refused', 'the model’s filter flagged the picture')
    : failed('unknown', 'the answer has no picture')
}

function failed(kind: 'policy_refused' | 'unknown', detail: string): RequestResult {
  return { state: 'failed', error: new HostedError(kind, detail) }
}
