import { openSession, hashToken } from '../accounts/auth/session.ts'
import type { SessionOrigin } from '../accounts/auth/session.ts'
import { drawVoucherCode, readVoucherCode } from '../ledger/vouchers/voucher-code.ts'
import { inTransaction } from '../platform/db/database.ts'
import { deleteRows, updateRows } from '../platform/db/rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { deletionOf } from './find-event.ts'
import type { EventRow } from './find-event.ts'
import type { EventParts } from './parts.ts'

type Parts = Pick<EventParts, 'clock' | 'database' | 'randomBytes'>

const codeLifetimeMs = 10 * 60_000

/** A code by which another device goes on as this guest; one that was given before is void. */
export async function offerHandOver(
  { database, clock, randomBytes }: Parts,
  userId: string,
): Promise<{ code: string; expiresAt: Date }> {
  const code = drawVoucherCode(randomBytes)
  const expiresAt = new Date(clock().getTime() + codeLifetimeMs)
  const set = { hand_over_hash: hashCode(code), hand_over_until: expiresAt }
  await updateRows(database, 'event_guests', { match: { user_id: userId }, set })
  return { code, expiresAt }
}

/**
 * Opens a session for the guest behind a code, which is used up by it. It counts as no kiosk's, and ends all
 * others but a kiosk's: who sends somebody a link sees nothing of what they make. Throws `hand_over_unknown`.
 * @returns the guest, and the session's token
 */
export async function takeOver(
  { database, clock, randomBytes }: Parts,
  { event, code, origin }: { event: EventRow; code: string; origin: SessionOrigin },
): Promise<{ userId: string; token: string }> {
  const now = clock()
  const lifetimeMs = deletionOf(event).getTime() - now.getTime()
  if (readVoucherCode(code) === undefined) throw new AppError('hand_over_unknown')
  return inTransaction(database, async (transaction) => {
    const guest = await transaction
      .updateTable('event_guests')
      .from('users')
      .set({ hand_over_hash: null, hand_over_until: null })
      .whereRef('users.id', '=', 'event_guests.user_id')
      .where('event_id', '=', event.id)
      .where('hand_over_hash', '=', hashCode(code))
      .where('hand_over_until', '>', now)
      .whereRef('users.guest_of', '=', 'event_guests.event_id')
      .returning(['event_guests.user_id', 'users.password_hash', 'event_guests.kiosk_id'])
      .executeTakeFirst()
    if (guest === undefined) throw new AppError('hand_over_unknown')
    const { user_id: userId, password_hash: passwordHash, kiosk_id: kioskId } = guest
    if (kioskId === null) await deleteRows(transaction, 'sessions', { user_id: userId })
    const taken = { match: { user_id: userId }, set: { kiosk_id: null } }
    await updateRows(transaction, 'event_guests', taken)
    const opened = { userId, passwordHash, now, randomBytes, origin, lifetimeMs }
    const token = await openSession(transaction, opened)
    if (token === undefined) throw new AppError('hand_over_unknown')
    return { userId, token }
  })
}

function hashCode(code: string): Buffer {
  return hashToken(readVoucherCode(code) ?? '')
}
