import { sql } from 'kysely'
import { hashPassword } from '../accounts/auth/password.ts'
import { inTransaction } from '../platform/db/database.ts'
import type { Database, Transaction } from '../platform/db/database.ts'
import { deleteRows, findRows, updateRows } from '../platform/db/rows.ts'
import type { RandomBytes } from '../platform/secrets/random-bytes.ts'
import type { OperatorRole } from './roles.ts'

/** What an operator's row says without a second factor. */
export const withoutSecondFactor = {
  totp_secret: null,
  totp_confirmed_at: null,
  totp_last_step: null,
}

export const operatorPasswordLengthMin = 12
/** Lower-case letters, digits and a few signs; an e-mail is one. */
export const operatorNamePattern = /^[a-z0-9][a-z0-9._@+-]{1,79}$/

/** A first password for somebody else, of 120 random bits; they change it after signing in. */
export function makeFirstPassword(randomBytes: RandomBytes): string {
  return randomBytes(15).toString('base64url')
}

/** Adds an operator; false when the name is taken. */
export async function addOperator(
  database: Database,
  { name, role, password }: { name: string; role: OperatorRole; password: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('operators')
    .values({ name, role, password_hash: await hashPassword(password) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Sets a password, ends second factor, sessions and disabling; false when the name is unknown. */
export async function resetOperator(
  database: Database,
  { name, password }: { name: string; password: string },
): Promise<boolean> {
  const passwordHash = await hashPassword(password)
  return inTransaction(database, async (transaction) => {
    const set = { ...withoutSecondFactor, password_hash: passwordHash, disabled_at: null }
    const [row] = await updateRows(transaction, 'operators', { match: { name }, set })
    if (row === undefined) return false
    await deleteRows(transaction, 'operator_recovery_codes', { operator_id: row.id })
    await endSessionsOf(transaction, row.id)
    return true
  })
}

/** Sets a password and ends all other sessions; false when `currentHash` is no longer current. */
export async function setOperatorPassword(
  database: Database,
  options: { operatorId: string; currentHash: string; password: string; keptSessionId: string },
): Promise<boolean> {
  const { operatorId, currentHash, keptSessionId } = options
  const set = { password_hash: await hashPassword(options.password) }
  return inTransaction(database, async (transaction) => {
    const match = { id: operatorId, password_hash: currentHash }
    const changed = await updateRows(transaction, 'operators', { match, set })
    if (changed.length > 0) await endSessionsOf(transaction, operatorId, keptSessionId)
    return changed.length > 0
  })
}

/** Changes role or disables; `last_owner` where nobody who may do everything would be left. */
export async function changeOperator(
  database: Database,
  options: { operatorId: string; role: OperatorRole; isDisabled: boolean; now: Date },
): Promise<'done' | 'last_owner' | 'unknown'> {
  const { operatorId, role, isDisabled, now } = options
  return inTransaction(database, async (transaction) => {
    const active = sql`role = 'owner' and disabled_at is null order by id for update`
    const owners = await findRows(transaction, 'operators', active)
    const staysOwner = role === 'owner' && !isDisabled
    if (!staysOwner && owners.length === 1 && owners[0]?.id === operatorId) return 'last_owner'
    const set = { role, disabled_at: isDisabled ? now : null }
    const changed = await updateRows(transaction, 'operators', { match: { id: operatorId }, set })
    if (changed.length === 0) return 'unknown'
    if (isDisabled) await endSessionsOf(transaction, operatorId)
    return 'done'
  })
}

/** Ends sessions, all or all but one; the same transaction must have changed the operator's row. */
export async function endSessionsOf(
  transaction: Transaction,
  operatorId: string,
  keptId?: string,
): Promise<void> {
  const keys = sql`operator_id = ${operatorId} and id is distinct from ${keptId ?? null}`
  await deleteRows(transaction, 'operator_keys', keys)
}
