import { callVendor, readRetryAfterMs } from '../call-vendor.ts'
import type { VendorAnswer } from '../call-vendor.ts'
import { collectPictures } from '../collect-pictures.ts'
import { decodePicture, downloadPicture } from '../download-picture.ts'
import { readObject } from '../../platform/http/read-object.ts'
import { HostedError } from '../hosted-error.ts'
import { openaiError } from './openai-errors.ts'
import type { OpenaiOptions } from './openai-provider.ts'

/** Bytes of an answer with pictures in it at most. */
export const answerBytesMax = 48 * 1024 * 1024
const listBytesMax = 4 * 1024 * 1024
const probeTimeoutMs = 15_000

/** The key's header; none where the server asks for no key. */
export function authorizationOf({ apiKey }: OpenaiOptions): Record<string, string> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
}

/**
 * The first pictures of an answer, as many as were asked for: each is `b64_json`, or `url` on the
 * server's own origin. Those that can't be had are left out; throws `HostedError` where none can.
 */
export async function readImages(
  options: OpenaiOptions,
  answer: VendorAnswer,
  { count, signal }: { count: number; signal: AbortSignal },
): Promise<Uint8Array[]> {
  assertOk(options, answer)
  const { data } = readObject(answer.body)
  const entries: unknown[] = Array.isArray(data) ? data.slice(0, count) : []
  const rules = { hosts: [], origins: [new URL(options.baseUrl).origin] }
  return await collectPictures(entries, async (entry) => {
    const { b64_json: base64, url } = readObject(entry)
    if (typeof base64 === 'string' && base64 !== '') return decodePicture(base64)
    if (typeof url !== 'string') throw new HostedError('unknown', 'the answer has no picture')
    return await downloadPicture(options, url, { rules, signal })
  })
}

/** Looks for the model in the server's list. sd-server has one model, under a name of its own. */
export async function probeModel(options: OpenaiOptions, signal: AbortSignal): Promise<void> {
  const answer = await callVendor(options.fetch, `${options.baseUrl}/models`, {
    method: 'GET',
    headers: authorizationOf(options),
    timeoutMs: probeTimeoutMs,
    bytesMax: listBytesMax,
    signal,
  })
  assertOk(options, answer)
  const { data } = readObject(answer.body)
  const ids = Array.isArray(data) ? data.map((entry: unknown) => readObject(entry)['id']) : []
  if (options.name === 'sdcpp' || ids.includes(options.card.model)) return
  throw new HostedError('provider_down', `the server doesn’t list ${options.card.model}`)
}

function assertOk(options: OpenaiOptions, { status, headers, body }: VendorAnswer): void {
  if (status !== 200) throw openaiError(status, body, readRetryAfterMs(headers, options.now()))
}
