import { openSession } from '../auth/session.ts'
import type { Context } from '../context.ts'
import { makeUser } from './make-user.ts'

/** A session of somebody new with credits, written straight into the database: no password is hashed. */
export async function signIn(
  { database, clock, randomBytes }: Pick<Context, 'clock' | 'database' | 'randomBytes'>,
  credits = 1,
): Promise<{ token: string; userId: string }> {
  const userId = await makeUser(database, credits)
  const origin = { address: '127.0.0.1', userAgent: 'test' }
  const { token } = await openSession(database, { userId, now: clock(), randomBytes, origin })
  return { token, userId }
}
