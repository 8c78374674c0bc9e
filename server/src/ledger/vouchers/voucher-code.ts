import type { RandomBytes } from '../../platform/secrets/random-bytes.ts'

/** Digits and letters without I, L, O and U, which are taken for others (Crockford's base 32). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 13 characters of 5 bits: 65 bits, which nobody guesses. */
const codeLength = 13
const written = /^[0-9A-HJKMNP-TV-Z]{13}$/

/** Draws a code, in groups as people read it: `7K3M-9QXT-2VBN-4`. */
export function drawVoucherCode(randomBytes: RandomBytes): string {
  const drawn = Array.from(randomBytes(codeLength), (byte) => alphabet[byte % alphabet.length])
  return drawn.join('').replaceAll(/.{4}(?=.)/g, '$&-')
}

/** The typed code without hyphens and spaces, corrected, in upper case; undefined for none. */
export function readVoucherCode(typed: string): string | undefined {
  const bare = typed.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase()
  const code = bare.replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return written.test(code) ? code : undefined
}
