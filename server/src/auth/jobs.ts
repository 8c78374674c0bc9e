import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** Deletes sessions, reset and confirmation tokens whose time is over. */
export async function deleteExpiredSecrets(database: Database, now: Date): Promise<void> {
  await database.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await database.deleteFrom('email_confirmations').where('expires_at', '<=', now).execute()
  await database.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
}

/** Deletes the counters of limits whose time is over. */
export async function deleteExpiredLimits(database: Database, now: Date): Promise<void> {
  await sql`delete from rate_limits where expire < ${now.getTime()}`.execute(database)
}
