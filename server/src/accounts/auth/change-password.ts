import { sql } from 'kysely'
import { inTransaction } from '../../platform/db/database.ts'
import type { Database, Queryable, Transaction } from '../../platform/db/database.ts'
import { findRow, insertRow, updateRows } from '../../platform/db/rows.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { checkPassword } from './check-registration.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { openSession, endSessions, hashToken } from './session.ts'
import type { SessionOpening } from './session.ts'
import { createLink, mailLink } from './mail-link.ts'
import type { LinkParts } from './mail-link.ts'

/**
 * Sets a new password, ends every session and opens a new one for the caller. Throws `password_wrong`,
 * also when another change was faster, `password_too_short`, `password_too_long` or `account_suspended`.
 */
export async function changePassword(
  database: Database,
  input: { userId: string; currentPassword: string; newPassword: string },
  options: SessionOpening,
): Promise<{ token: string }> {
  checkPassword(input.newPassword)
  const { userId } = input
  const currentHash = await checkOwnPassword(database, userId, input.currentPassword)
  const passwordHash = await hashPassword(input.newPassword)
  return inTransaction(database, async (transaction) => {
    if ((await lockUser(transaction, userId)) !== currentHash) throw new AppError('password_wrong')
    await setPassword(transaction, { userId, passwordHash, now: options.now })
    const token = await openSession(transaction, { ...options, userId, passwordHash })
    if (token === undefined) throw new AppError('account_suspended')
    return { token }
  })
}

/** The hash of the user's `password`, to be looked at again later; throws `password_wrong`. */
export async function checkOwnPassword(
  database: Queryable,
  userId: string,
  password: string,
): Promise<string> {
  const { password_hash: hash } = (await findRow(database, 'users', { id: userId }))!
  if (!(await verifyPassword(hash, password))) throw new AppError('password_wrong')
  return hash
}

/** Holds off other password changes and sessions; answers the hash; undefined without account. */
async function lockUser(transaction: Transaction, userId: string): Promise<string | undefined> {
  const user = await findRow(transaction, 'users', sql`id = ${userId} for no key update`)
  return user?.password_hash
}

/** Writes the hash, ends every session and voids every mailed link: who knew the old password is out. */
async function setPassword(
  transaction: Transaction,
  { userId, passwordHash, now }: { userId: string; passwordHash: string; now: Date },
): Promise<void> {
  const changed = { match: { id: userId }, set: { password_hash: passwordHash } }
  await updateRows(transaction, 'users', changed)
  await endSessions(transaction, { user_id: userId })
  const voided = { match: { user_id: userId, used_at: null }, set: { used_at: now } }
  await updateRows(transaction, 'password_resets', voided)
}

const resetLifetimeMs = 60 * 60_000

/** Mails a reset link to an active account; after the answer, so that its time reveals nothing. */
export async function sendResetMail(parts: LinkParts, email: string): Promise<void> {
  const user = await findRow(parts.database, 'users', { email, status: 'active' })
  if (user === undefined) return
  const { token, row } = createLink(parts, user.id, resetLifetimeMs)
  await insertRow(parts.database, 'password_resets', row)
  mailLink(parts, 'passwordReset', user, { path: '/auth?mode=reset', token })
}

/**
 * Sets the password behind a mailed token, once. Nothing is hashed for a token that opens nothing.
 * Throws `reset_token_invalid`.
 */
export async function resetPassword(
  database: Database,
  input: { token: string; password: string },
  options: { now: Date },
): Promise<void> {
  checkPassword(input.password)
  const { now } = options
  const match = sql`
    token_hash = ${hashToken(input.token)} and used_at is null and expires_at > ${now}`
  const found = await findRow(database, 'password_resets', match)
  if (found === undefined) throw new AppError('reset_token_invalid')
  const { user_id: userId } = found
  const passwordHash = await hashPassword(input.password)
  await inTransaction(database, async (transaction) => {
    await lockUser(transaction, userId)
    const used = await updateRows(transaction, 'password_resets', { match, set: { used_at: now } })
    if (used.length === 0) throw new AppError('reset_token_invalid')
    await setPassword(transaction, { userId, passwordHash, now })
  })
}
