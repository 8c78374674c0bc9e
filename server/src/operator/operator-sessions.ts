import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { createToken, hashToken } from '../accounts/auth/session.ts'
import type { OperatorParts } from './parts.ts'
import { inTransaction } from '../platform/db/database.ts'
import type { Database } from '../platform/db/database.ts'
import { deleteRows, findRows, insertRow } from '../platform/db/rows.ts'
import { asText } from '../platform/http/read-object.ts'
import { isSameText } from '../platform/secrets/is-same-text.ts'
import type { OperatorRole } from './roles.ts'

export const operatorSessionMs = 12 * 60 * 60_000
const userAgentLengthMax = 300

export interface Operator {
  /** Undefined for somebody who came by a token or by the password of ADMIN_PASSWORD_HASH. */
  id: string | undefined
  name: string
  role: OperatorRole
  sessionId: string
}

type KeyParts = Pick<OperatorParts, 'database' | 'clock' | 'randomBytes'>

/** Makes a token and gives its secret, which only the caller ever sees. */
export async function createOperatorToken(
  parts: KeyParts,
  { name, lifetimeMs }: { name: string; lifetimeMs: number },
): Promise<string> {
  const secret = createToken(parts.randomBytes)
  const now = parts.clock()
  await insertRow(parts.database, 'operator_keys', {
    token_hash: hashToken(secret),
    kind: 'token',
    name,
    created_at: now,
    expires_at: new Date(now.getTime() + lifetimeMs),
  })
  return secret
}

/** What somebody was let in by, as it was when it was found right. */
export type OperatorProof =
  | { by: 'token'; token: string }
  /** The password of ADMIN_PASSWORD_HASH. */
  | { by: 'common password' }
  | {
      by: 'operator'
      operatorId: string
      passwordHash: string
      /** The sealed secret of the second factor in use; null without one. */
      totpSecret: Buffer | null
    }

/**
 * Opens a session by what was proved, and gives its secret. The statement that writes it looks once more, and
 * locks what it finds: undefined when password or second factor have changed since, the operator was disabled,
 * or the token revoked. A change that ends sessions is waited for, or waits and then ends this one too.
 */
export async function openOperatorSession(
  parts: KeyParts,
  proof: OperatorProof,
  { address = '', userAgent = '' }: { address?: string; userAgent?: string } = {},
): Promise<string | undefined> {
  const secret = createToken(parts.randomBytes)
  const now = parts.clock()
  const { database } = parts
  await deleteRows(database, 'operator_keys', sql`expires_at <= ${now}`)
  const { rows } = await sql`
    insert into operator_keys
      (token_hash, kind, name, operator_id, address, user_agent, created_at, expires_at)
    select ${hashToken(secret)}::bytea, 'session', name, id, ${address},
      ${userAgent.slice(0, userAgentLengthMax)}, ${now}::timestamptz,
      ${new Date(now.getTime() + operatorSessionMs)}::timestamptz
    from (${stillProved(proof, now)}) as holder (name, id)
    returning id`.execute(database)
  return rows.length === 0 ? undefined : secret
}

function stillProved(proof: OperatorProof, now: Date) {
  if (proof.by === 'common password') return sql`select 'operator', null::uuid`
  if (proof.by === 'token') {
    return sql`
      select name, operator_id from operator_keys
      where token_hash = ${hashToken(proof.token)} and kind = 'token' and expires_at > ${now}
      for share`
  }
  return sql`
    select name, id from operators
    where id = ${proof.operatorId} and password_hash = ${proof.passwordHash} and disabled_at is null
      and case when totp_confirmed_at is not null then totp_secret end
        is not distinct from ${proof.totpSecret}::bytea
    for share`
}

/** Voids all tokens and ends all sessions, also those that are being opened; answers how many. */
export async function revokeOperatorKeys(database: Database): Promise<number> {
  return inTransaction(database, async (transaction) => {
    await sql`lock table operator_keys in share row exclusive mode`.execute(transaction)
    return deleteRows(transaction, 'operator_keys', sql`true`)
  })
}

/** A key's holder, in today's role; undefined for a user's token or a disabled operator. */
export async function findOperator(
  { database, clock }: Pick<OperatorParts, 'database' | 'clock'>,
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

/** The open sessions of whoever holds this one, newest first. */
export async function listOperatorSessions(
  { database, clock }: Pick<OperatorParts, 'database' | 'clock'>,
  operator: Operator,
) {
  const match = { ...holderOf(operator), kind: 'session' } as const
  const sessions = await findRows(database, 'operator_keys', match)
  return sessions
    .filter(({ expires_at }) => expires_at > clock())
    .toSorted((one, other) => other.created_at.getTime() - one.created_at.getTime())
}

/** Ends a session of the same holder; false when there is none of that id. */
export async function endOperatorSession(
  database: Database,
  operator: Operator,
  sessionId: string,
): Promise<boolean> {
  const match = { ...holderOf(operator), kind: 'session', id: sessionId } as const
  return (await deleteRows(database, 'operator_keys', match)) > 0
}

function holderOf({ id, name }: Operator) {
  return id === undefined ? { operator_id: null, name } : { operator_id: id }
}

/** CSRF token: HMAC of the session's secret (OWASP CSRF Prevention, "HMAC Based Token Pattern"). */
export function csrfTokenOf(sessionSecret: string): string {
  return createHmac('sha256', sessionSecret).update('operator form').digest('base64url')
}

/** Whether a form's token is that of the session; compared in constant time. */
export function isCsrfToken(sessionSecret: string, token: unknown): boolean {
  return isSameText(csrfTokenOf(sessionSecret), asText(token))
}
