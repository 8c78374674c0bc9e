import { sql } from 'kysely'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { OperatorParts } from './parts.ts'
import { inTransaction } from '../platform/db/database.ts'
import type { Database } from '../platform/db/database.ts'
import type { RandomBytes } from '../platform/secrets/random-bytes.ts'
import { seal, unseal } from '../platform/secrets/seal.ts'
import { deleteRows, findRow, updateRows } from '../platform/db/rows.ts'
import { endSessionsOf, withoutSecondFactor } from './operators.ts'

type Parts = Pick<OperatorParts, 'database' | 'clock' | 'randomBytes' | 'keys'>

const recoveryCodesMade = 10

/** Whose second factor it is, and the hash of the password that was given for it. */
export type ProvedOperator = { operatorId: string; currentHash: string }

/** Makes a secret that waits for its first code; one in use stays until then. */
export async function beginSecondFactor(
  parts: Parts,
  { operatorId, currentHash }: ProvedOperator,
): Promise<Buffer> {
  const { keys, randomBytes } = parts
  const secret = randomBytes(totpSecretBytes)
  const key = keys.operatorSecrets
  const sealed = seal(secret, { key, subject: operatorId, randomBytes })
  await updateRows(parts.database, 'operators', {
    match: { id: operatorId, password_hash: currentHash, totp_confirmed_at: null },
    set: { ...withoutSecondFactor, totp_secret: sealed },
  })
  return secret
}

/** The secret that waits for its first code, and as it is stored; undefined when there is none. */
export async function readWaitingSecret(parts: Parts, operatorId: string) {
  const row = await findRow(parts.database, 'operators', { id: operatorId })
  if (row?.totp_secret == null || row.totp_confirmed_at !== null) return undefined
  const secret = unsealSecret(parts, operatorId, row.totp_secret)
  return secret && { secret, sealed: row.totp_secret }
}

/**
 * Puts the second factor into use and ends all other sessions, which the password alone may
 * have opened. Answers the recovery codes, shown this once; undefined for a wrong code.
 */
export async function confirmSecondFactor(
  parts: Parts,
  options: ProvedOperator & { code: string; keptSessionId: string },
): Promise<string[] | undefined> {
  const { operatorId, currentHash, code, keptSessionId } = options
  const waiting = await readWaitingSecret(parts, operatorId)
  if (waiting === undefined) return undefined
  const now = parts.clock()
  const step = findTotpStep(waiting.secret, readCode(code), { now, lastStep: 0 })
  if (step === undefined) return undefined
  const codes = makeRecoveryCodes(parts.randomBytes)
  return inTransaction(parts.database, async (transaction) => {
    const proved = { id: operatorId, password_hash: currentHash }
    const changed = await updateRows(transaction, 'operators', {
      match: { ...proved, totp_secret: waiting.sealed, totp_confirmed_at: null },
      set: { totp_confirmed_at: now, totp_last_step: step },
    })
    if (changed.length === 0) return undefined
    await endSessionsOf(transaction, operatorId, keptSessionId)
    await deleteRows(transaction, 'operator_recovery_codes', { operator_id: operatorId })
    await transaction
      .insertInto('operator_recovery_codes')
      .values(codes.map((text) => ({ operator_id: operatorId, code_hash: hashCode(text) })))
      .execute()
    return codes
  })
}

/** Removes second factor and recovery codes; false when `currentHash` is no longer current. */
export async function removeSecondFactor(
  database: Database,
  { operatorId, currentHash }: ProvedOperator,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const match = { id: operatorId, password_hash: currentHash }
    const changed = await updateRows(transaction, 'operators', { match, set: withoutSecondFactor })
    if (changed.length === 0) return false
    await deleteRows(transaction, 'operator_recovery_codes', { operator_id: operatorId })
    return true
  })
}

/** Whether a code of app or recovery lets them in; each once, as the row that it marks decides. */
export async function takeSecondFactor(
  parts: Parts,
  { operatorId, code }: { operatorId: string; code: string },
): Promise<boolean> {
  const row = await findRow(parts.database, 'operators', { id: operatorId })
  const given = readCode(code)
  const now = parts.clock()
  const secret = row?.totp_secret && unsealSecret(parts, operatorId, row.totp_secret)
  const lastStep = Number(row?.totp_last_step ?? 0)
  const step = secret ? findTotpStep(secret, given, { now, lastStep }) : undefined
  if (step !== undefined) {
    const match = sql`id = ${operatorId} and coalesce(totp_last_step, 0) < ${step}`
    const set = { totp_last_step: step }
    const taken = await updateRows(parts.database, 'operators', { match, set })
    if (taken.length > 0) return true
  }
  const used = await updateRows(parts.database, 'operator_recovery_codes', {
    match: { operator_id: operatorId, code_hash: hashCode(given), used_at: null },
    set: { used_at: now },
  })
  return used.length > 0
}

function unsealSecret({ keys }: Parts, operatorId: string, sealed: Buffer): Buffer | undefined {
  return unseal(sealed, { key: keys.operatorSecrets, subject: operatorId })
}

/** Codes as people write them: in groups, in capitals. */
function readCode(text: string): string {
  return text.replaceAll(/[\s-]/g, '').toLowerCase()
}

/** Each of 80 random bits, in four groups of hexadecimal digits. */
function makeRecoveryCodes(randomBytes: RandomBytes): string[] {
  return Array.from({ length: recoveryCodesMade }, () =>
    (randomBytes(10).toString('hex').match(/.{5}/g) ?? []).join('-'),
  )
}

/** A plain SHA-256 is enough: a code can't be guessed from it. */
function hashCode(text: string): Buffer {
  return createHash('sha256').update(readCode(text)).digest()
}

/** Seconds of a time step, and digits of a code: what every authenticator app takes. */
const stepSeconds = 30
const digits = 6
/** A clock may be off by one step either way (RFC 6238, section 5.2). */
const stepsAside = 1
/** Bytes of a secret: as long as SHA-1's output (RFC 4226, section 4, R6). */
const totpSecretBytes = 20

/** The code of a time step: HOTP of RFC 4226, section 5.3, with SHA-1, in six digits. */
export function totpCode(secret: Buffer, step: number, length: number = digits): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** length).padStart(length, '0')
}

/** The RFC 6238 time step of a code; undefined for a wrong one or a step not after `lastStep`. */
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
