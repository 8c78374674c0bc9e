import { hash } from 'node:crypto'
import { eventHeader, eventNamePattern } from '@starside/contract/event-formats.ts'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type pg from 'pg'
import type { AccountParts } from '../parts.ts'
import type { Queryable, Database } from '../../platform/db/database.ts'
import { createRowReader, requestRows } from '../../platform/db/read-rows.ts'
import { deleteRows, findRows } from '../../platform/db/rows.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Guards } from '../../platform/http/serve-routes.ts'
import type { RandomBytes } from '../../platform/secrets/random-bytes.ts'
import { createHostCookie } from '../../platform/http/host-cookie.ts'
import type { HostCookie } from '../../platform/http/host-cookie.ts'

/** How long a bearer token opens the account. */
const sessionLifetimeMs = 30 * 24 * 60 * 60_000
/** So many an account has at most, which its list shows; the oldest gives way to a new one. */
const sessionsMax = 100

/** Who sends the request. */
export interface SignedInUser {
  userId: string
  email: string
  username: string
  referralCode: string
  createdAt: Date
  sessionId: string
  /** Set for the guest of an event, who has no account to sign in to. */
  guest?: Guest | null | undefined
}

/** Somebody who has joined an event without an account. */
export interface Guest {
  eventId: string
  /** The event's address below `/e/`. */
  event: string
  /** The kiosk where they joined; null: on a phone of their own. */
  kioskId: string | null
}

/** Where a session was opened from, for the list of sessions. */
export type SessionOrigin = { address: string; userAgent: string }

/** What every session is opened with. */
export type SessionOpening = { now: Date; randomBytes: RandomBytes; origin: SessionOrigin }

/**
 * Opens a session for whoever proved the password behind `passwordHash`; answers its token. Undefined when
 * the password has changed since, or the account is suspended or gone. Locks the user's row, so that a change
 * that ends all sessions is waited for, or waits and then ends this one too.
 */
export async function openSession(
  database: Queryable,
  options: SessionOpening & { userId: string; passwordHash: string; lifetimeMs?: number },
): Promise<string | undefined> {
  const { now, origin, lifetimeMs = sessionLifetimeMs } = options
  const token = createToken(options.randomBytes)
  const { rows } = await sql`
    with surplus as (
      delete from sessions where token_hash in (
        select token_hash from sessions where user_id = ${options.userId}
        order by created_at desc offset ${sessionsMax - 1})
    )
    insert into sessions (token_hash, user_id, created_at, expires_at, address, user_agent)
    select ${hashToken(token)}::bytea, id, ${now}::timestamptz,
      ${new Date(now.getTime() + lifetimeMs)}::timestamptz, ${origin.address}, ${origin.userAgent}
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
  sessions.id as "sessionId",
  case when users.guest_of is not null then (
    select json_build_object('eventId', events.id, 'event', events.name, 'kioskId', kiosk_id)
    from event_guests join events on events.id = event_guests.event_id
    where user_id = users.id
  ) end as guest`

/**
 * The user behind the bearer token; without one, in a call of guests, the guest behind the event's cookie on
 * its page. Throws `token_missing`, `token_invalid` (unknown or expired) or `account_suspended`.
 */
async function requireUser(
  context: GuardParts,
  request: FastifyRequest,
  mayBeGuest: boolean,
): Promise<SignedInUser> {
  const event = mayBeGuest ? readOwnEvent(request) : undefined
  if (event === undefined || readBearerToken(request) !== undefined) {
    return acceptSession(request, await context.findSession(requireTokenHash(request)))
  }
  const token = guestCookie(context.config, event).read(request)
  if (token === undefined) throw new AppError('token_missing')
  const row = await context.findSession(hashToken(token))
  return acceptUser(request, row?.guest?.event === event ? row : undefined)
}

export interface GuardParts extends Pick<AccountParts, 'findSession' | 'limits'> {
  readonly config: { readonly publicUrl: string }
}

/** What declared routes ask for before they are handled. */
export function guardsOf(context: GuardParts): Guards<SignedInUser> {
  return {
    authenticate: (request, access) => requireUser(context, request, access === 'guest'),
    limits: context.limits,
  }
}

/** A session with its user, as the database has them. */
export type SessionRow = SignedInUser & { status: 'active' | 'suspended' }

/** The digest of the request's token, for a query of one's own. Throws `token_missing`. */
export function requireTokenHash(request: FastifyRequest): Buffer {
  const token = readBearerToken(request)
  if (token === undefined) throw new AppError('token_missing')
  return hashToken(token)
}

/** Judges what was found for a bearer token. Throws `token_invalid` or `account_suspended`. */
export function acceptSession(request: FastifyRequest, row: SessionRow | undefined): SignedInUser {
  return acceptUser(request, row?.guest ? undefined : row)
}

function acceptUser(request: FastifyRequest, row: SessionRow | undefined): SignedInUser {
  if (row === undefined) throw new AppError('token_invalid')
  if (row.status === 'suspended') throw new AppError('account_suspended')
  const { userId, email, username, referralCode, createdAt, sessionId, guest } = row
  request.userId = userId
  return { userId, email, username, referralCode, createdAt, sessionId, guest }
}

/** The token of `Authorization: Bearer …` (RFC 6750), or undefined. */
export function readBearerToken(request: FastifyRequest): string | undefined {
  const match = /^Bearer ([\w~+/.-]{1,200}=*)$/i.exec(request.headers.authorization ?? '')
  return match?.[1]
}

/** Where the request comes from, bounded for storing. */
export function readOrigin(request: FastifyRequest): SessionOrigin {
  return { address: request.ip, userAgent: (request.headers['user-agent'] ?? '').slice(0, 200) }
}

/** Ends one of a user's sessions by its id, or all of them, and answers how many there were. */
export function endSessions(
  database: Queryable,
  sessions: { user_id: string; id?: string },
): Promise<number> {
  return deleteRows(database, 'sessions', sessions)
}

/** The open sessions of a user, newest first; the one that asks is marked. */
export async function listSessions(
  database: Database,
  user: Pick<SignedInUser, 'userId' | 'sessionId'>,
  now: Date,
) {
  const open = sql`user_id = ${user.userId} and expires_at > ${now}`
  const newest = sql`${open} order by created_at desc limit ${sessionsMax}`
  return (await findRows(database, 'sessions', newest)).map((row) => ({
    id: row.id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    address: row.address,
    userAgent: row.user_agent,
    isCurrent: row.id === user.sessionId,
  }))
}

/** The cookie that holds the session of an event's guest: of each event one of its own. */
export function guestCookie(config: { readonly publicUrl: string }, event: string): HostCookie {
  return createHostCookie(`guest-${event}`, config, 'Strict')
}

/** The event that a request names by a header that only our own pages can send (Fetch, CORS). */
export function readOwnEvent(request: FastifyRequest): string | undefined {
  const { 'sec-fetch-site': site, [eventHeader]: event } = request.headers
  if (site !== undefined && site !== 'same-origin') return undefined
  return typeof event === 'string' && eventNamePattern.test(event) ? event : undefined
}

/** An opaque bearer token of 256 random bits, in URL-safe text. */
export function createToken(randomBytes: RandomBytes): string {
  return randomBytes(32).toString('base64url')
}

/** What is kept of a token: a plain SHA-256, as the token has too much entropy to be guessed. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
