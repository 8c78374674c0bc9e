import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type pg from 'pg'
import type { AccountParts } from '../parts.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { createRowReader, requestRows } from '../../platform/db/read-rows.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Guards } from '../../platform/http/serve-routes.ts'
import { createToken, hashToken } from './token.ts'
import type { RandomBytes } from '../../platform/secrets/random-bytes.ts'

/** How long a bearer token opens the account. */
const sessionLifetimeMs = 30 * 24 * 60 * 60_000

/** Who sends the request. */
export interface SignedInUser {
  userId: string
  email: string
  username: string
  referralCode: string
  createdAt: Date
  sessionId: string
}

/** Where a session was opened from, for the list of sessions. */
export interface SessionOrigin {
  address: string
  userAgent: string
}

/**
 * Opens a session for whoever has proved the password behind `passwordHash`, and answers its token, which
 * only the caller ever sees. The statement that writes it looks once more: undefined when the password has
 * changed since, or the account is suspended or gone. It locks the user's row, so that a change that ends
 * all sessions is waited for, or waits and then ends this one too.
 */
export async function openSession(
  database: Queryable,
  options: {
    userId: string
    passwordHash: string
    now: Date
    randomBytes: RandomBytes
    origin: SessionOrigin
  },
): Promise<string | undefined> {
  const { now, origin } = options
  const token = createToken(options.randomBytes)
  const { rows } = await sql`
    insert into sessions (token_hash, user_id, created_at, expires_at, address, user_agent)
    select ${hashToken(token)}::bytea, id, ${now}::timestamptz,
      ${new Date(now.getTime() + sessionLifetimeMs)}::timestamptz, ${origin.address}, ${origin.userAgent}
    from users
    where id = ${options.userId} and password_hash = ${options.passwordHash} and status = 'active'
    for share
    returning id`.execute(database)
  return rows.length === 0 ? undefined : token
}

/** Reads the open session of a token's digest with its user; undefined for an unknown or expired one. */
export type FindSession = (tokenHash: Buffer) => Promise<SessionRow | undefined>

/** Every call of a signed-in person begins with this read. */
export function createSessionReader(pool: pg.Pool, clock: () => Date): FindSession {
  return createRowReader<Buffer, SessionRow>(pool, {
    name: 'session',
    text: `
      select request.n::integer as n, ${sessionColumns}
      from (${requestRows('$1::bytea[]')}) as request (token_hash, n)
      join sessions on sessions.token_hash = request.token_hash and sessions.expires_at > $2
      join users on users.id = sessions.user_id`,
    values: (tokenHashes) => [tokenHashes, clock()],
  })
}

/** The columns of a `SessionRow`, for a statement over `sessions` and `users`. */
export const sessionColumns = `users.id as "userId", users.email, users.username,
  users.referral_code as "referralCode", users.created_at as "createdAt", users.status,
  sessions.id as "sessionId"`

/**
 * The user behind the request's bearer token. Throws `token_missing`, `token_invalid` (unknown or
 * expired) or `account_suspended`.
 */
export async function requireUser(
  context: { findSession: FindSession },
  request: FastifyRequest,
): Promise<SignedInUser> {
  return acceptSession(request, await context.findSession(requireTokenHash(request)))
}

/** What declared routes ask for before they are handled. */
export function guardsOf(
  context: Pick<AccountParts, 'findSession' | 'limits'>,
): Guards<SignedInUser> {
  return {
    authenticate: (request) => requireUser(context, request),
    limits: context.limits,
  }
}

/** A session with its user, as the database has them. */
export interface SessionRow extends SignedInUser {
  status: 'active' | 'suspended'
}

/** The digest of the request's token, for a query of one's own. Throws `token_missing`. */
export function requireTokenHash(request: FastifyRequest): Buffer {
  const token = readBearerToken(request)
  if (token === undefined) throw new AppError('token_missing')
  return hashToken(token)
}

/** Decides on what the query found. Throws `token_invalid` or `account_suspended`. */
export function acceptSession(request: FastifyRequest, row: SessionRow | undefined): SignedInUser {
  if (row === undefined) throw new AppError('token_invalid')
  if (row.status === 'suspended') throw new AppError('account_suspended')
  const { userId, email, username, referralCode, createdAt, sessionId } = row
  request.userId = userId
  return { userId, email, username, referralCode, createdAt, sessionId }
}

/** The token of `Authorization: Bearer …` (RFC 6750), or undefined. */
export function readBearerToken(request: FastifyRequest): string | undefined {
  const match = /^Bearer ([\w~+/.-]{1,200}=*)$/i.exec(request.headers.authorization ?? '')
  return match?.[1]
}

/** Where the request comes from, bounded for storing. */
export function readOrigin(request: FastifyRequest): SessionOrigin {
  return {
    address: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 200),
  }
}
