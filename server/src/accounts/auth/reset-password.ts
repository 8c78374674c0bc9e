import type { ExpressionBuilder } from 'kysely'
import { inTransaction } from '../../platform/db/database.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.d.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { lockUser, setPassword } from './change-password.ts'
import { checkPassword } from './check-registration.ts'
import { mailLink } from './mail-link.ts'
import type { LinkParts } from './mail-link.ts'
import { hashPassword } from './password.ts'
import { createToken, hashToken } from './token.ts'

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
    .executeTakeFirst()
  if (found === undefined) throw new AppError('reset_token_invalid')
  const passwordHash = await hashPassword(input.password)
  await inTransaction(database, async (transaction) => {
    await lockUser(transaction, found.user_id)
    const used = await transaction
      .updateTable('password_resets')
      .set({ used_at: options.now })
      .where(isOpen)
      .returning('user_id')
      .executeTakeFirst()
    if (used === undefined) throw new AppError('reset_token_invalid')
    await setPassword(transaction, { userId: used.user_id, passwordHash, now: options.now })
  })
}
