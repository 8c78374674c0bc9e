import { createHmac, timingSafeEqual } from 'node:crypto'

export const falWebhookPath = '/api/images/fal/webhook'

/**
 * The address a vendor calls for one attempt. Its token is a secret of ours: the vendor's signature
 * alone would let any customer of the same vendor speak for any attempt.
 */
export function webhookUrl(baseUrl: string, secret: string, attemptId: string): string {
  const query = new URLSearchParams({ attempt: attemptId, token: tokenOf(secret, attemptId) })
  return `${baseUrl}${falWebhookPath}?${query.toString()}`
}

/** True for the token of exactly this attempt, in constant time. */
export function isWebhookToken(secret: string, attemptId: string, token: string): boolean {
  const expected = Buffer.from(tokenOf(secret, attemptId))
  const given = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function tokenOf(secret: string, attemptId: string): string {
  return createHmac('sha256', secret).update(`image webhook\n${attemptId}`).digest('base64url')
}
