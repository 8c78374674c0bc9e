import type { RandomBytes } from '../../platform/secrets/random-bytes.ts'

/** Letters and digits that nobody confuses: no I, O, 0, 1. 32 of them, so a byte maps evenly. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Eight random characters: 40 bits, enough that a clash is rare; the database refuses one. */
export function createReferralCode(randomBytes: RandomBytes): string {
  return Array.from(randomBytes(8), (byte) => alphabet[byte % alphabet.length]).join('')
}
