import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { deviceCookieLifetimeMs } from './device.ts'

/** Deletes sessions, reset and confirmation tokens, and notes of devices, whose time is over. */
export async function deleteExpiredSecrets(database: Database, now: Date): Promise<void> {
  await database.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await database.deleteFrom('email_confirmations').where('expires_at', '<=', now).execute()
  await database.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
  const unseenSince = new Date(now.getTime() - deviceCookieLifetimeMs)
  await database.deleteFrom('user_devices').where('last_seen_at', '<=', unseenSince).execute()
}

/** Deletes the counters of limits whose time is over. */
export async function deleteExpiredLimits(database: Database, now: Date): Promise<void> {
  await sql`delete from rate_limits where expire < ${now.getTime()}`.execute(database)
}
