import type { ProfileAnswer } from '@starside/contract/auth.ts'
import type { FastifyRequest } from 'fastify'
import { acceptSession, requireTokenHash } from './auth/session.ts'
import type { SessionRow } from './auth/session.ts'
import type { Context } from './context.ts'

interface ProfileRow extends SessionRow {
  balance: number
  boughtTotal: number
  friendsReferred: number
  selfiesCreated: number
}

/**
 * The session, its user and all figures in one prepared statement: pages ask for the profile more
 * often than for anything else, and four statements took four times as long.
 */
const statement = `
  select users.id as "userId", users.email, users.username, users.referral_code as "referralCode",
    users.created_at as "createdAt", users.status, sessions.id as "sessionId",
    account.balance, account.bought_total as "boughtTotal",
    (select count(*)::integer from referrals where referrer_user_id = users.id)
      as "friendsReferred",
    (select count(*)::integer from generations
      where user_id = users.id and state = 'done' and deleted_at is null) as "selfiesCreated"
  from sessions
  join users on users.id = sessions.user_id
  join credit_accounts as account on account.user_id = users.id
  where sessions.token_hash = $1 and sessions.expires_at > $2`

/** `GET /api/user?action=profile`. Throws as `requireUser` does. */
export async function readProfile(
  context: Pick<Context, 'pool' | 'clock'>,
  request: FastifyRequest,
): Promise<ProfileAnswer> {
  const { rows } = await context.pool.query<ProfileRow>({
    name: 'profile',
    text: statement,
    values: [requireTokenHash(request), context.clock()],
  })
  const [row] = rows
  const user = acceptSession(request, row)
  return {
    success: true,
    user: {
      userId: user.userId,
      email: user.email,
      username: user.username,
      referralCode: user.referralCode,
      creditsBalance: row?.balance ?? 0,
      totalCreditsEverBought: row?.boughtTotal ?? 0,
      friendsReferred: row?.friendsReferred ?? 0,
      selfiesCreated: row?.selfiesCreated ?? 0,
      createdAt: user.createdAt.toISOString(),
    },
  }
}
