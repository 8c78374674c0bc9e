import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { deviceCookieLifetimeMs } from './device.ts'

/** How long it is known that a mailbox had its free credit, or redeemed a voucher. */
const mailboxMemoryMs = 365 * 24 * 60 * 60_000

/** Deletes sessions, mailed tokens, and notes of devices and mailboxes, whose time is over. */
export async function deleteExpiredSecrets(database: Database, now: Date): Promise<void> {
  await database.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await database.deleteFrom('email_confirmations').where('expires_at', '<=', now).execute()
  await database.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
  const unseenSince = new Date(now.getTime() - deviceCookieLifetimeMs)
  await database.deleteFrom('user_devices').where('last_seen_at', '<=', unseenSince).execute()
  const creditedBefore = new Date(now.getTime() - mailboxMemoryMs)
  await database.deleteFrom('signup_credits').where('granted_at', '<=', creditedBefore).execute()
  await sql`update voucher_redemptions set mailbox_hash = null
    where mailbox_hash is not null and redeemed_at <= ${creditedBefore}`.execute(database)
}

/** Deletes the counters of limits whose time is over. */
export async function deleteExpiredLimits(database: Database, now: Date): Promise<void> {
  await sql`delete from rate_limits where expire < ${now.getTime()}`.execute(database)
}
