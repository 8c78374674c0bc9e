import { createHmac, timingSafeEqual } from 'node:crypto'

/** Seconds of a time step, and digits of a code: what every authenticator app takes. */
const stepSeconds = 30
const digits = 6
/** A clock may be off by one step either way (RFC 6238, section 5.2). */
const stepsAside = 1
/** Bytes of a secret: as long as SHA-1's output (RFC 4226, section 4, R6). */
export const totpSecretBytes = 20

/** The code of a time step: HOTP of RFC 4226, section 5.3, with SHA-1, in six digits. */
export function totpCode(secret: Buffer, step: number, length: number = digits): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** length).padStart(length, '0')
}

/**
 * The time step that a code belongs to (RFC 6238), or undefined for a wrong one and for one of a
 * step that was used before.
 * @param lastStep the newest step of which a code was taken
 */
export function findTotpStep(
  secret: Buffer,
  code: string,
  { now, lastStep }: { now: Date; lastStep: number },
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const current = Math.floor(now.getTime() / 1_000 / stepSeconds)
  for (let step = current - stepsAside; step <= current + stepsAside; step += 1) {
    const isCode = timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))
    if (isCode && step > lastStep) return step
  }
  return undefined
}

/** Base32 without padding (RFC 4648, section 6), as people type a secret by hand. */
export function toBase32(bytes: Buffer): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** What an authenticator app reads from a QR code (Google Authenticator, "Key Uri Format"). */
export function totpUri(
  secret: Buffer,
  { issuer, name }: { issuer: string; name: string },
): string {
  const query = new URLSearchParams({ secret: toBase32(secret), issuer })
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(name)}?${query.toString().replaceAll('+', '%20')}`
}
