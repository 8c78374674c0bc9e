import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { OperatorParts } from './parts.ts'
import type { Database } from '../platform/db/database.ts'
import type { RandomBytes } from '../platform/secrets/random-bytes.ts'
import { seal, unseal } from '../platform/secrets/seal.ts'
import { deleteRecoveryCodes, endSessionsOf } from './operators.ts'
import { findTotpStep, totpSecretBytes } from './totp.ts'

type Parts = Pick<OperatorParts, 'database' | 'clock' | 'randomBytes' | 'keys'>

const recoveryCodesMade = 10

/** Whose second factor it is, and the hash of the password that was given for it. */
export interface ProvedOperator {
  operatorId: string
  currentHash: string
}

/** Makes a secret that waits for its first code; one in use stays until then. */
export async function beginSecondFactor(
  parts: Parts,
  { operatorId, currentHash }: ProvedOperator,
): Promise<Buffer> {
  const { keys, randomBytes } = parts
  const secret = randomBytes(totpSecretBytes)
  const key = keys.operatorSecrets
  const sealed = seal(secret, { key, subject: operatorId, randomBytes })
  await parts.database
    .updateTable('operators')
    .set({ totp_secret: sealed, totp_confirmed_at: null })
    .set({ totp_last_step: null })
    .where('id', '=', operatorId)
    .where('password_hash', '=', currentHash)
    .where('totp_confirmed_at', 'is', null)
    .execute()
  return secret
}

/** The secret that waits for its first code, and as it is stored; undefined when there is none. */
export async function readWaitingSecret(parts: Parts, operatorId: string) {
  const row = await readSecondFactor(parts.database, operatorId)
  if (row?.totp_secret == null || row.totp_confirmed_at !== null) return undefined
  const secret = unsealSecret(parts, operatorId, row.totp_secret)
  return secret && { secret, sealed: row.totp_secret }
}

/**
 * Puts the second factor into use, if the code shows that an app has its secret, and ends all sessions but
 * one: the others may have been opened by the password alone. Answers the recovery codes, which are shown
 * this once; undefined for a wrong code.
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
  return parts.database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('operators')
      .set({ totp_confirmed_at: now, totp_last_step: step })
      .where('id', '=', operatorId)
      .where('password_hash', '=', currentHash)
      .where('totp_secret', '=', waiting.sealed)
      .where('totp_confirmed_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return undefined
    await endSessionsOf(transaction, operatorId, keptSessionId)
    await deleteRecoveryCodes(transaction, operatorId)
    await transaction
      .insertInto('operator_recovery_codes')
      .values(codes.map((text) => ({ operator_id: operatorId, code_hash: hashCode(text) })))
      .execute()
    return codes
  })
}

/**
 * Takes the second factor and its recovery codes away. False when the password is no longer the one behind
 * `currentHash`, which was given for it.
 */
export async function removeSecondFactor(
  database: Database,
  { operatorId, currentHash }: ProvedOperator,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('operators')
      .set({ totp_secret: null, totp_confirmed_at: null, totp_last_step: null })
      .where('id', '=', operatorId)
      .where('password_hash', '=', currentHash)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await deleteRecoveryCodes(transaction, operatorId)
    return true
  })
}

export async function countRecoveryCodes(database: Database, operatorId: string): Promise<number> {
  const { count } = await database
    .selectFrom('operator_recovery_codes')
    .select(sql<string>`count(*)`.as('count'))
    .where('operator_id', '=', operatorId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Whether a code of the app, or a recovery code, lets this operator in. Each is taken once, also
 * when it comes twice at the same time: the row that it marks decides.
 */
export async function takeSecondFactor(
  parts: Parts,
  { operatorId, code }: { operatorId: string; code: string },
): Promise<boolean> {
  const row = await readSecondFactor(parts.database, operatorId)
  const given = readCode(code)
  if (row !== undefined && (await takeTotp(parts, operatorId, row, given))) return true
  const { numUpdatedRows } = await parts.database
    .updateTable('operator_recovery_codes')
    .set({ used_at: parts.clock() })
    .where('operator_id', '=', operatorId)
    .where('code_hash', '=', hashCode(given))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

async function takeTotp(
  parts: Parts,
  operatorId: string,
  row: { totp_secret: Buffer | null; totp_last_step: string | number | null },
  code: string,
): Promise<boolean> {
  const secret =
    row.totp_secret === null ? undefined : unsealSecret(parts, operatorId, row.totp_secret)
  if (secret === undefined) return false
  const lastStep = Number(row.totp_last_step ?? 0)
  const step = findTotpStep(secret, code, { now: parts.clock(), lastStep })
  if (step === undefined) return false
  const { numUpdatedRows } = await parts.database
    .updateTable('operators')
    .set({ totp_last_step: step })
    .where('id', '=', operatorId)
    .where((where) =>
      where.or([where('totp_last_step', 'is', null), where('totp_last_step', '<', step)]),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function readSecondFactor(database: Database, operatorId: string) {
  return database
    .selectFrom('operators')
    .select(['totp_secret', 'totp_confirmed_at', 'totp_last_step'])
    .where('id', '=', operatorId)
    .executeTakeFirst()
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
