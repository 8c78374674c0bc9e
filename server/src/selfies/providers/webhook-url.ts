import { createHmac, timingSafeEqual } from 'node:crypto'

export const falWebhookPath = '/api/images/fal/webhook'

/**
 * The address a vendor calls for one attempt. Its token is a secret of ours: the vendor's signature
 * alone would let any customer of the same vendor speak for any attempt.
 */
export function webhookUrl(baseUrl: string, key: Buffer, attemptId: string): string {
  const query = new URLSearchParams({ attempt: attemptId, token: tokenOf(key, attemptId) })
  return `${baseUrl}${falWebhookPath}?${query.toString()}`
}

/** True for the token of exactly this attempt, in constant time. */
export function isWebhookToken(key: Buffer, attemptId: string, token: string): boolean {
  const expected = Buffer.from(tokenOf(key, attemptId))
  const given = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function tokenOf(key: Buffer, attemptId: string): string {
  return createHmac('sha256', key).update(`image webhook\n${attemptId}`).digest('base64url')
}
