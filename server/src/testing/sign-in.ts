import { createToken, hashToken } from '../auth/token.ts'
import type { Context } from '../context.ts'
import { makeUser } from './make-user.ts'

/** A session of somebody new with credits, written straight into the database: no password is hashed. */
export async function signIn(
  { database, clock, randomBytes }: Pick<Context, 'clock' | 'database' | 'randomBytes'>,
  credits = 1,
): Promise<{ token: string; userId: string }> {
  const userId = await makeUser(database, credits)
  const token = createToken(randomBytes)
  const now = clock()
  await database
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      created_at: now,
      expires_at: new Date(now.getTime() + 86_400_000),
      address: '127.0.0.1',
      user_agent: 'test',
    })
    .execute()
  return { token, userId }
}
