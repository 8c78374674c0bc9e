import type { ProfileAnswer } from '@starside/contract/auth.ts'
import type { FastifyRequest } from 'fastify'
import { acceptSession, requireTokenHash, sessionColumns } from '../../accounts/auth/session.ts'
import type { SessionRow } from '../../accounts/auth/session.ts'
import type { TrustParts } from '../parts.ts'
import { createRowReader, requestRows } from '../../platform/db/read-rows.ts'

interface ProfileRow extends SessionRow {
  balance: number
  owed: number
  boughtTotal: number
  friendsReferred: number
  termsVersion: string | null
  selfiesCreated: number
}

/** `GET /api/user?action=profile`, asked most often, as one read. Throws as `requireUser` does. */
export function createProfileReader(
  context: Pick<TrustParts, 'pool' | 'clock' | 'legalTexts'>,
): (request: FastifyRequest) => Promise<ProfileAnswer> {
  const findProfile = createRowReader<Buffer, ProfileRow>(context.pool, {
    name: 'profile',
    text: statement,
    values: (tokenHashes) => [tokenHashes, context.clock()],
  })
  return async (request) => {
    const row = await findProfile(requireTokenHash(request))
    const user = acceptSession(request, row)
    const { userId, email, username, referralCode } = user
    return {
      success: true,
      user: {
        userId,
        email,
        username,
        referralCode,
        creditsBalance: row?.balance ?? 0,
        creditsOwed: row?.owed ?? 0,
        totalCreditsEverBought: row?.boughtTotal ?? 0,
        friendsReferred: row?.friendsReferred ?? 0,
        selfiesCreated: row?.selfiesCreated ?? 0,
        createdAt: user.createdAt.toISOString(),
        termsToAccept: context.legalTexts.termsToAccept(row?.termsVersion ?? null) ?? null,
      },
    }
  }
}

const statement = `
  select request.n::integer as n, ${sessionColumns},
    users.terms_version as "termsVersion",
    account.balance, account.owed, account.bought_total as "boughtTotal",
    (select count(*)::integer from referrals where referrer_user_id = users.id)
      as "friendsReferred",
    (select count(*)::integer from generations
      where user_id = users.id and state = 'done' and deleted_at is null) as "selfiesCreated"
  from (${requestRows('$1::bytea[]')}) as request (token_hash, n)
  join sessions on sessions.token_hash = request.token_hash and sessions.expires_at > $2
  join users on users.id = sessions.user_id
  join credit_accounts as account on account.user_id = users.id`
