import { inTransaction } from '../db/database.ts'
import type { Database, Queryable } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'
import { checkPassword } from './check-registration.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { openSession } from './session.ts'
import type { SessionOrigin } from './session.ts'
import { signOutEverywhere } from './sign-out.ts'
import type { RandomBytes } from '../secrets/random-bytes.ts'

/**
 * Sets a new password, ends every session and opens a new one for the caller.
 * Throws `password_wrong`, `password_too_short` or `password_too_long`.
 */
export async function changePassword(
  database: Database,
  input: { userId: string; currentPassword: string; newPassword: string },
  options: { now: Date; randomBytes: RandomBytes; origin: SessionOrigin },
): Promise<{ token: string }> {
  checkPassword(input.newPassword)
  await assertPassword(database, input.userId, input.currentPassword)
  const passwordHash = await hashPassword(input.newPassword)
  return inTransaction(database, async (transaction) => {
    await setPassword(transaction, input.userId, passwordHash)
    return openSession(transaction, { ...options, userId: input.userId })
  })
}

/** Throws `password_wrong` unless this is the user's password. */
export async function assertPassword(
  database: Queryable,
  userId: string,
  password: string,
): Promise<void> {
  const user = await database
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (!(await verifyPassword(user.password_hash, password))) throw new AppError('password_wrong')
}

/** Writes the hash and ends every session: who knew the old password is out. */
export async function setPassword(
  database: Queryable,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await database
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .execute()
  await signOutEverywhere(database, userId)
}
