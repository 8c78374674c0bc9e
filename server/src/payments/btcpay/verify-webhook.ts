import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Checks `BTCPay-Sig: sha256=<hex>`, the HMAC-SHA256 of the raw body under the webhook's secret.
 * The body is indented JSON, so nothing but the raw bytes can be right.
 */
export function isWebhookAuthentic(
  rawBody: Buffer,
  signatureHeader: string | string[] | undefined,
  secret: string,
): boolean {
  if (typeof signatureHeader !== 'string') return false
  const match = /^sha256=([0-9a-f]{64})$/i.exec(signatureHeader.trim())
  if (match?.[1] === undefined) return false
  const expected = createHmac('sha256', Buffer.from(secret, 'utf8')).update(rawBody).digest()
  return timingSafeEqual(expected, Buffer.from(match[1], 'hex'))
}
