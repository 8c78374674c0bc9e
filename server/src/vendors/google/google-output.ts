import { readObject } from '../../platform/http/read-object.ts'
import { HostedError } from '../hosted-error.ts'

/** Why a candidate ended without a picture, where the vendor's rules were the reason. */
const refusals = /^(?:IMAGE_)?(?:SAFETY|PROHIBITED_CONTENT|RECITATION)$|^(?:BLOCKLIST|SPII)$/

/**
 * The picture of a `generateContent` answer, as base64: the last one that isn't a draft of the
 * model's thinking. Throws `HostedError`: `policy_refused` where the prompt or the picture was
 * blocked, else `unknown`.
 */
export function readGooglePicture(body: unknown): string {
  const { candidates, promptFeedback } = readObject(body)
  const { blockReason } = readObject(promptFeedback)
  if (typeof blockReason === 'string') {
    throw new HostedError('policy_refused', `the request was blocked: ${blockReason}`)
  }
  const candidate = readObject(Array.isArray(candidates) ? candidates[0] : undefined)
  const { finishReason: reason } = candidate
  const { parts } = readObject(candidate['content'])
  const pictures = (Array.isArray(parts) ? parts : []).flatMap((part: unknown) => {
    const { thought, inlineData } = readObject(part)
    const { data } = readObject(inlineData)
    return thought === true || typeof data !== 'string' || data === '' ? [] : [data]
  })
  const picture = pictures.at(-1)
  if (picture !== undefined) return picture
  const word = typeof reason === 'string' ? reason : 'no reason given'
  // Its family ends so, too, when its filter has turned the picture down.
  const isRefused = refusals.test(word) || word === 'NO_IMAGE'
  throw new HostedError(
    isRefused ? 'policy_refused' : 'unknown',
    `the answer has no picture: ${word}`,
  )
}
