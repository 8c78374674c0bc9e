import { createHash, createPublicKey, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { askVendor } from '../call-vendor.ts'
import { parseJson, readObject } from '../../platform/http/read-object.ts'
import { HostedError } from '../hosted-error.ts'
import type { WebhookNews } from '../hosted-provider.ts'
import { falWebhookError, readFalOutput } from './fal-answers.ts'

export const falKeySetUrl = 'https://rest.fal.ai/.well-known/jwks.json'
/** A signature older or newer than this is a replay or a wrong clock. */
const timeWindowSeconds = 300
/** fal allows its keys to be kept for a day. */
const keyLifetimeMs = 24 * 60 * 60_000
/** An unknown signature makes us look for new keys, but no more often than this. */
const refreshIntervalMs = 60_000
const keySetBytesMax = 256 * 1024

export type FalWebhookVerifier = ReturnType<typeof createFalWebhookVerifier>

/**
 * Verifies fal's webhooks: Ed25519 over request id, user id, timestamp and the SHA-256 of the raw
 * body, one on each line. Every key of the set is tried; the set is kept for at most a day.
 * https://docs.fal.ai/model-endpoints/webhooks
 */
export function createFalWebhookVerifier(options: {
  keySetUrl: string
  fetch: typeof globalThis.fetch
  now: () => number
}) {
  const { fetch, now } = options
  const errorOf = (status: number) =>
    new HostedError('provider_down', `the key set answers ${status}`)
  const api = { fetch, now, errorOf }
  let keys: readonly KeyObject[] = []
  let fetchedAt = -Infinity
  let fetching: Promise<void> | undefined

  async function fetchKeys(signal: AbortSignal): Promise<void> {
    const call = { timeoutMs: 10_000, bytesMax: keySetBytesMax, signal }
    keys = readKeySet(await askVendor(api, options.keySetUrl, call))
    fetchedAt = options.now()
  }

  async function freshKeys(ageMaxMs: number, signal: AbortSignal): Promise<readonly KeyObject[]> {
    if (options.now() - fetchedAt > ageMaxMs) {
      fetching ??= fetchKeys(signal).finally(() => (fetching = undefined))
      await fetching
    }
    return keys
  }

  return {
    /**
     * True when the body bears a valid Ed25519 signature of fal within the time window. Throws
     * `HostedError` only when the key set can't be fetched, so that the sender tries again.
     * @param headers by lower-case name
     */
    async verify(headers: IncomingHttpHeaders, rawBody: Uint8Array, signal: AbortSignal) {
      const signed = readSignature(headers, rawBody, options.now())
      if (signed === undefined) return false
      const isSigned = (candidates: readonly KeyObject[]) =>
        candidates.some((key) => verify(null, signed.message, key, signed.signature))
      if (isSigned(await freshKeys(keyLifetimeMs, signal))) return true
      return isSigned(await freshKeys(refreshIntervalMs, signal))
    },
  }
}

const signatureHeaders = z.object({
  'x-fal-webhook-request-id': z.string(),
  'x-fal-webhook-user-id': z.string(),
  'x-fal-webhook-timestamp': z.string().regex(/^\d{1,12}$/),
  'x-fal-webhook-signature': z.string().regex(/^[0-9a-f]{128}$/i),
})

function readSignature(headers: IncomingHttpHeaders, rawBody: Uint8Array, now: number) {
  const { data } = signatureHeaders.safeParse(headers)
  if (data === undefined) return undefined
  const timestamp = data['x-fal-webhook-timestamp']
  if (Math.abs(now / 1000 - Number(timestamp)) > timeWindowSeconds) return undefined
  const bodyHash = createHash('sha256').update(rawBody).digest('hex')
  const signed = [data['x-fal-webhook-request-id'], data['x-fal-webhook-user-id'], timestamp]
  return {
    message: Buffer.from([...signed, bodyHash].join('\n')),
    signature: Buffer.from(data['x-fal-webhook-signature'], 'hex'),
  }
}

/** The Ed25519 keys of a JSON Web Key Set (RFC 7517, RFC 8037); others are passed over. */
function readKeySet(body: unknown): KeyObject[] {
  const { keys: list } = readObject(body)
  if (!Array.isArray(list)) throw new HostedError('unknown', 'the key set is not as expected')
  return list.slice(0, 20).flatMap((entry: unknown) => {
    const { kty, crv, x } = readObject(entry)
    if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') return []
    try {
      return [createPublicKey({ key: { kty, crv, x }, format: 'jwk' })]
    } catch {
      return []
    }
  })
}

/** Reads a verified webhook's body; undefined when it names no request. */
export function readFalWebhook(rawBody: Uint8Array): WebhookNews | undefined {
  const body = readObject(parseJson(Buffer.from(rawBody).toString('utf8')))
  const requestId = body['request_id']
  if (typeof requestId !== 'string') return undefined
  const earlierId = body['gateway_request_id']
  const error = typeof body['error'] === 'string' ? body['error'] : undefined
  return {
    requestId,
    earlierRequestId: typeof earlierId === 'string' ? earlierId : undefined,
    end:
      body['status'] === 'OK'
        ? readFalOutput(body['payload'])
        : { state: 'failed', error: falWebhookError(error, body['payload']) },
  }
}
