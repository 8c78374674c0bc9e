import type { RandomBytes } from '../platform/secrets/random-bytes.ts'

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'
const randomLength = 6
/** The largest multiple of 36 that a byte can hold: bytes from here on would favour some letters. */
const fairBytesEnd = 252

/** `order_` + the time in base 36 + `_` + 6 random characters (specification, section 3). */
export function createOrderId(now: Date, randomBytes: RandomBytes): string {
  return `order_${now.getTime().toString(36)}_${randomText(randomBytes)}`
}

/** True for text in the form of our order ids; says nothing about whether the order exists. */
export function isOrderId(text: unknown): text is string {
  return typeof text === 'string' && /^order_[0-9a-z]{1,12}_[0-9a-z]{6}$/.test(text)
}

function randomText(randomBytes: RandomBytes): string {
  let text = ''
  while (text.length < randomLength) {
    for (const byte of randomBytes(16)) {
      if (byte < fairBytesEnd && text.length < randomLength) text += alphabet[byte % 36]
    }
  }
  return text
}
