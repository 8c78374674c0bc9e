import { createHmac, timingSafeEqual } from 'node:crypto'
import { createToken } from '../accounts/auth/token.ts'
import type { RandomBytes } from '../platform/secrets/random-bytes.ts'

/**
 * What the browser of an operator who has signed in keeps: a random id, signed for that name (OWASP,
 * "Slow Down Online Guessing Attacks with Device Cookies"). It opens nothing; its wrong passwords
 * are only counted apart from those of strangers.
 */
export function makeOperatorDevice(
  name: string,
  { key, randomBytes }: { key: Buffer; randomBytes: RandomBytes },
): string {
  const id = createToken(randomBytes)
  return `${id}.${sign(key, name, id).toString('base64url')}`
}

/** The id of such a text; undefined when it wasn't signed for this name. */
export function readOperatorDevice(name: string, text: string, key: Buffer): string | undefined {
  const [id = '', signature = ''] = text.split('.')
  const expected = sign(key, name, id)
  const given = Buffer.from(signature, 'base64url')
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
  return isOurs ? id : undefined
}

function sign(key: Buffer, name: string, id: string): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([name, id]))
    .digest()
}
