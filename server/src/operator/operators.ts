import { hashPassword } from '../accounts/auth/password.ts'
import type { Database, Transaction } from '../platform/db/database.ts'
import type { RandomBytes } from '../platform/secrets/random-bytes.ts'
import type { OperatorRole } from './roles.ts'

export const operatorPasswordLengthMin = 12
/** Lower-case letters, digits and a few signs; an e-mail is one. */
export const operatorNamePattern = /^[a-z0-9][a-z0-9._@+-]{1,79}$/

export function listOperators(database: Database) {
  return database
    .selectFrom('operators')
    .select(['id', 'name', 'role', 'created_at as createdAt'])
    .select((row) => [
      row('totp_confirmed_at', 'is not', null).$castTo<boolean>().as('hasSecondFactor'),
      row('disabled_at', 'is not', null).$castTo<boolean>().as('isDisabled'),
    ])
    .orderBy('name')
    .execute()
}

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

/**
 * Gives an operator a new password, takes the second factor away, opens the account if it was
 * disabled and ends its sessions: for whoever lost them. False when there is no such name.
 */
export async function resetOperator(
  database: Database,
  { name, password }: { name: string; password: string },
): Promise<boolean> {
  const passwordHash = await hashPassword(password)
  return database.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('operators')
      .set({ password_hash: passwordHash, disabled_at: null })
      .set({ totp_secret: null, totp_confirmed_at: null, totp_last_step: null })
      .where('name', '=', name)
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return false
    await deleteRecoveryCodes(transaction, row.id)
    await endSessionsOf(transaction, row.id)
    return true
  })
}

/**
 * Sets a new password and ends all sessions but one. False when the password is no longer the one behind
 * `currentHash`, which was given for it.
 */
export async function setOperatorPassword(
  database: Database,
  options: { operatorId: string; currentHash: string; password: string; keptSessionId: string },
): Promise<boolean> {
  const { operatorId, currentHash, keptSessionId } = options
  const passwordHash = await hashPassword(options.password)
  return database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('operators')
      .set({ password_hash: passwordHash })
      .where('id', '=', operatorId)
      .where('password_hash', '=', currentHash)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await endSessionsOf(transaction, operatorId, keptSessionId)
    return true
  })
}

/**
 * Changes an operator's role, or disables or opens the account. `last_owner` when nobody who may do
 * everything would be left, which only the command line undoes.
 */
export async function changeOperator(
  database: Database,
  options: { operatorId: string; role: OperatorRole; isDisabled: boolean; now: Date },
): Promise<'done' | 'last_owner' | 'unknown'> {
  const { operatorId, role, isDisabled, now } = options
  return database.transaction().execute(async (transaction) => {
    const owners = await transaction
      .selectFrom('operators')
      .select('id')
      .where('role', '=', 'owner')
      .where('disabled_at', 'is', null)
      .orderBy('id')
      .forUpdate()
      .execute()
    const staysOwner = role === 'owner' && !isDisabled
    if (!staysOwner && owners.length === 1 && owners[0]?.id === operatorId) return 'last_owner'
    const { numUpdatedRows } = await transaction
      .updateTable('operators')
      .set({ role, disabled_at: isDisabled ? now : null })
      .where('id', '=', operatorId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return 'unknown'
    if (isDisabled) await endSessionsOf(transaction, operatorId)
    return 'done'
  })
}

export async function deleteRecoveryCodes(
  transaction: Transaction,
  operatorId: string,
): Promise<void> {
  await transaction
    .deleteFrom('operator_recovery_codes')
    .where('operator_id', '=', operatorId)
    .execute()
}

/**
 * Ends an operator's sessions, all or all but one. Whoever calls it has changed the operator's row in the same
 * transaction, which a session that is being opened waits for, or holds up until it can be found here.
 */
export async function endSessionsOf(
  transaction: Transaction,
  operatorId: string,
  keptId?: string,
): Promise<void> {
  await transaction
    .deleteFrom('operator_keys')
    .where('operator_id', '=', operatorId)
    .$if(keptId !== undefined, (query) => query.where('id', '!=', keptId ?? ''))
    .execute()
}
