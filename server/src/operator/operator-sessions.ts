import { createHmac, timingSafeEqual } from 'node:crypto'
import { createToken, hashToken } from '../auth/token.ts'
import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import type { RandomBytes } from '../secrets/random-bytes.ts'
import type { OperatorRole } from './roles.ts'

export const operatorSessionMs = 12 * 60 * 60_000
const userAgentLengthMax = 300

/** Whoever is signed in to the operator's pages. */
export interface Operator {
  /** Undefined for somebody who came by a token or by the password of ADMIN_PASSWORD_HASH. */
  id: string | undefined
  name: string
  role: OperatorRole
  sessionId: string
}

/** Makes a key and gives its secret, which only the caller ever sees. */
export async function createOperatorKey(
  parts: { database: Database; clock: () => Date; randomBytes: RandomBytes },
  options: {
    kind: 'token' | 'session'
    name: string
    lifetimeMs: number
    operatorId?: string | undefined
    address?: string
    userAgent?: string
  },
): Promise<string> {
  const secret = createToken(parts.randomBytes)
  const now = parts.clock()
  await parts.database.deleteFrom('operator_keys').where('expires_at', '<=', now).execute()
  await parts.database
    .insertInto('operator_keys')
    .values({
      token_hash: hashToken(secret),
      kind: options.kind,
      name: options.name,
      operator_id: options.operatorId ?? null,
      address: options.address ?? '',
      user_agent: (options.userAgent ?? '').slice(0, userAgentLengthMax),
      created_at: now,
      expires_at: new Date(now.getTime() + options.lifetimeMs),
    })
    .execute()
  return secret
}

/**
 * The holder of a key of that kind, in the role that they have now; undefined for anything else,
 * also for a user's token and for an operator who was disabled.
 */
export async function findOperator(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  options: { kind: 'token' | 'session'; secret: string },
): Promise<Operator | undefined> {
  const found = await database
    .selectFrom('operator_keys as key')
    .leftJoin('operators as operator', 'operator.id', 'key.operator_id')
    .select(['key.id as sessionId', 'key.operator_id', 'key.name as keyName'])
    .select(['operator.name', 'operator.role'])
    .where('key.token_hash', '=', hashToken(options.secret))
    .where('key.kind', '=', options.kind)
    .where('key.expires_at', '>', clock())
    .where('operator.disabled_at', 'is', null)
    .executeTakeFirst()
  if (found === undefined) return undefined
  return {
    id: found.operator_id ?? undefined,
    name: found.name ?? found.keyName,
    role: found.role ?? 'owner',
    sessionId: found.sessionId,
  }
}

export async function signOutOperator(
  { database }: Pick<Context, 'database'>,
  secret: string,
): Promise<void> {
  await database.deleteFrom('operator_keys').where('token_hash', '=', hashToken(secret)).execute()
}

export interface OperatorSession {
  id: string
  createdAt: Date
  expiresAt: Date
  address: string
  userAgent: string
}

/** The open sessions of whoever holds this one, newest first. */
export async function listOperatorSessions(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  operator: Operator,
): Promise<OperatorSession[]> {
  return database
    .selectFrom('operator_keys')
    .select(['id', 'created_at as createdAt', 'expires_at as expiresAt', 'address'])
    .select('user_agent as userAgent')
    .where('kind', '=', 'session')
    .where('expires_at', '>', clock())
    .where((where) =>
      operator.id === undefined
        ? where.and([where('operator_id', 'is', null), where('name', '=', operator.name)])
        : where('operator_id', '=', operator.id),
    )
    .orderBy('created_at', 'desc')
    .limit(100)
    .execute()
}

/** Ends a session of the same holder; false when there is none of that id. */
export async function endOperatorSession(
  parts: Pick<Context, 'database' | 'clock'>,
  operator: Operator,
  sessionId: string,
): Promise<boolean> {
  const own = await listOperatorSessions(parts, operator)
  if (!own.some(({ id }) => id === sessionId)) return false
  const { numDeletedRows } = await parts.database
    .deleteFrom('operator_keys')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * What every form of a session carries, so that no other site can send one: an HMAC of the session's
 * secret (OWASP, Cross-Site Request Forgery Prevention, "HMAC Based Token Pattern").
 */
export function csrfTokenOf(sessionSecret: string): string {
  return createHmac('sha256', sessionSecret).update('operator form').digest('base64url')
}

/** Whether a form's token is that of the session; compared in constant time. */
export function isCsrfToken(sessionSecret: string, token: unknown): boolean {
  const expected = Buffer.from(csrfTokenOf(sessionSecret))
  const given = Buffer.from(typeof token === 'string' ? token : '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
