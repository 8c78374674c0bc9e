import { createHmac } from 'node:crypto'

/** A copy of `value` whose objects, at every depth, have their keys in alphabetical order. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  )
}

/** Lower-case hex HMAC-SHA512 of `body` under the merchant's IPN secret. */
export function signBody(body: string, ipnSecret: string): string {
  return createHmac('sha512', ipnSecret.trim()).update(body).digest('hex')
}
