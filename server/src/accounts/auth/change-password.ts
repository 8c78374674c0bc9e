import type { ExpressionBuilder } from 'kysely'
import { inTransaction } from '../../platform/db/database.ts'
import type { Database, Queryable, Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { RandomBytes } from '../../platform/secrets/random-bytes.ts'
import type { Tables } from '../../platform/db/tables.d.ts'
import { checkPassword } from './check-registration.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { openSession, signOutEverywhere, createToken, hashToken } from './session.ts'
import type { SessionOrigin } from './session.ts'
import { mailLink } from './mail-link.ts'
import type { LinkParts } from './mail-link.ts'

/**
 * Sets a new password, ends every session and opens a new one for the caller. Throws `password_wrong`,
 * also when another change was faster, `password_too_short`, `password_too_long` or `account_suspended`.
 */
export async function changePassword(
  database: Database,
  input: { userId: string; currentPassword: string; newPassword: string },
  options: { now: Date; randomBytes: RandomBytes; origin: SessionOrigin },
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

/**
 * The hash of the user's password, when `password` is that one; throws `password_wrong` otherwise. What
 * follows from it must look whether the hash is still the same.
 */
export async function checkOwnPassword(
  database: Queryable,
  userId: string,
  password: string,
): Promise<string> {
  const user = await database
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (!(await verifyPassword(user.password_hash, password))) throw new AppError('password_wrong')
  return user.password_hash
}

/**
 * Keeps everybody else from changing the user's password or opening a session until the transaction ends.
 * Answers the password's hash; undefined when the account is gone.
 */
export async function lockUser(
  transaction: Transaction,
  userId: string,
): Promise<string | undefined> {
  const user = await transaction
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return user?.password_hash
}

/** Writes the hash, ends every session and voids every mailed link: who knew the old password is out. */
export async function setPassword(
  transaction: Transaction,
  { userId, passwordHash, now }: { userId: string; passwordHash: string; now: Date },
): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .execute()
  await signOutEverywhere(transaction, userId)
  await transaction
    .updateTable('password_resets')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()
}

const resetLifetimeMs = 60 * 60_000

/**
 * Mails a link that sets a new password, when the e-mail has an active account. Called after the
 * answer, so that no response time reveals whether it has.
 */
export async function sendResetMail(parts: LinkParts, email: string): Promise<void> {
  const { database, randomBytes } = parts
  const token = createToken(randomBytes)
  const now = parts.clock()
  const user = await database
    .selectFrom('users')
    .select(['id', 'username', 'language'])
    .where('email', '=', email)
    .where('status', '=', 'active')
    .executeTakeFirst()
  if (user === undefined) return
  await database
    .insertInto('password_resets')
    .values({
      token_hash: hashToken(token),
      user_id: user.id,
      created_at: now,
      expires_at: new Date(now.getTime() + resetLifetimeMs),
      used_at: null,
    })
    .execute()
  mailLink(parts, 'passwordReset', { email, ...user }, { path: '/auth?mode=reset', token })
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
  const tokenHash = hashToken(input.token)
  const isOpen = (where: ExpressionBuilder<Tables, 'password_resets'>) =>
    where.and([
      where('token_hash', '=', tokenHash),
      where('used_at', 'is', null),
      where('expires_at', '>', options.now),
    ])
  const found = await database
    .selectFrom('password_resets')
    .select('user_id')
    .where(isOpen)
    .executeTakeFirstOrThrow(() => new AppError('reset_token_invalid'))
  const passwordHash = await hashPassword(input.password)
  await inTransaction(database, async (transaction) => {
    await lockUser(transaction, found.user_id)
    const used = await transaction
      .updateTable('password_resets')
      .set({ used_at: options.now })
      .where(isOpen)
      .returning('user_id')
      .executeTakeFirstOrThrow(() => new AppError('reset_token_invalid'))
    await setPassword(transaction, { userId: used.user_id, passwordHash, now: options.now })
  })
}
