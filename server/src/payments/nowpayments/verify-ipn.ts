import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseJson } from '../../platform/http/read-object.ts'

/** Real notifications nest two levels; more than this is somebody's experiment. */
const depthMax = 16

export type IpnVerdict =
  | { isAuthentic: false }
  /** `fields` is undefined when the signed bytes aren't a JSON object. */
  | { isAuthentic: true; fields: Record<string, unknown> | undefined }

/**
 * `x-nowpayments-sig` is the hex HMAC-SHA512 of the body with keys sorted at every depth.
 * Tried on the raw bytes, the surest, then on the sorted re-spelling, then with arrays as
 * objects with keys "0", "1", … (two libraries of the vendor differ there).
 */
export function verifyIpn(
  rawBody: Buffer,
  signatureHeader: string | string[] | undefined,
  ipnSecret: string,
): IpnVerdict {
  const signature = readSignature(signatureHeader)
  if (signature === undefined) return { isAuthentic: false }
  const value = parseJson(rawBody.toString('utf8'))
  const fields = isObject(value) ? value : undefined
  const isMatch = (message: Buffer | string) =>
    timingSafeEqual(createHmac('sha512', ipnSecret.trim()).update(message).digest(), signature)
  if (isMatch(rawBody)) return { isAuthentic: true, fields }
  if (fields === undefined || isDeeperThan(fields, depthMax)) return { isAuthentic: false }
  const isSorted =
    isMatch(spellSorted(fields, isObject)) ||
    isMatch(spellSorted(fields, (one) => isObject(one) || Array.isArray(one)))
  return isSorted ? { isAuthentic: true, fields } : { isAuthentic: false }
}

/** The 64 bytes of the header, or undefined when it isn't 128 hex digits. */
function readSignature(header: string | string[] | undefined): Buffer | undefined {
  if (typeof header !== 'string') return undefined
  const text = header.trim().toLowerCase()
  return /^[0-9a-f]{128}$/.test(text) ? Buffer.from(text, 'hex') : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Walks level by level, so that a deep body can't exhaust the stack. */
function isDeeperThan(value: unknown, max: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > max) return true
    level = level.flatMap((inner) =>
      inner !== null && typeof inner === 'object' ? Object.values(inner) : [],
    )
  }
  return false
}

/** The JSON text in which all that counts as an object has its keys in their order. */
function spellSorted(fields: object, hasKeys: (value: unknown) => value is object): string {
  return JSON.stringify(fields, (_key, value: unknown) =>
    hasKeys(value)
      ? Object.fromEntries(
          Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : value,
  )
}
