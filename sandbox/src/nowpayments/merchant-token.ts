import { createHmac, timingSafeEqual } from 'node:crypto'

/** A merchant's token lives this long, as the provider's does. */
export const tokenLifetimeMs = 5 * 60_000

/** A signed JSON web token (HS256, RFC 7519) that says when it ends. */
export function issueToken(secret: string, nowMs: number): string {
  const head = encode({ alg: 'HS256', typ: 'JWT' })
  const claims = encode({
    id: '1',
    iat: Math.floor(nowMs / 1000),
    exp: Math.floor((nowMs + tokenLifetimeMs) / 1000),
  })
  return `${head}.${claims}.${signature(secret, `${head}.${claims}`)}`
}

/** True when `token` was issued under `secret` and hasn't ended. */
export function isTokenValid(secret: string, token: string, nowMs: number): boolean {
  const [head, claims, given, ...rest] = token.split('.')
  if (head === undefined || claims === undefined || given === undefined || rest.length > 0) {
    return false
  }
  const expected = Buffer.from(signature(secret, `${head}.${claims}`))
  const received = Buffer.from(given)
  if (expected.length !== received.length || !timingSafeEqual(expected, received)) return false
  const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number }
  return exp * 1000 > nowMs
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function signature(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}
