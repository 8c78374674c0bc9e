import type { Database } from '../../platform/db/database.ts'
import type { SignedInUser } from './session.ts'

/** The open sessions of a user, newest first; the one that asks is marked. */
export async function listSessions(database: Database, user: SignedInUser, now: Date) {
  const rows = await database
    .selectFrom('sessions')
    .select(['id', 'created_at', 'expires_at', 'address', 'user_agent'])
    .where('user_id', '=', user.userId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .limit(100)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    address: row.address,
    userAgent: row.user_agent,
    isCurrent: row.id === user.sessionId,
  }))
}
