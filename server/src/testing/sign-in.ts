import { openSession } from '../accounts/auth/session.ts'
import type { Context } from '../app/context.ts'
import { makeUser, neverVerified } from './make-user.ts'

/** A session of somebody new with credits, written straight into the database: no password is hashed. */
export async function signIn(
  { database, clock, randomBytes }: Pick<Context, 'clock' | 'database' | 'randomBytes'>,
  credits = 1,
): Promise<{ token: string; userId: string }> {
  const userId = await makeUser(database, credits)
  const origin = { address: '127.0.0.1', userAgent: 'test' }
  const token = await openSession(database, {
    userId,
    passwordHash: neverVerified,
    now: clock(),
    randomBytes,
    origin,
  })
  if (token === undefined) throw new Error('no session was opened')
  return { token, userId }
}
