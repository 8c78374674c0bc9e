import type { CheckedRegistration } from '../accounts/auth/check-registration.ts'
import { hashPassword } from '../accounts/auth/password.ts'
import { openSession, endSessions } from '../accounts/auth/session.ts'
import type { SessionOrigin } from '../accounts/auth/session.ts'
import { inTransaction } from '../platform/db/database.ts'
import { violatedConstraint } from '../platform/db/postgres-errors.ts'
import { updateRows } from '../platform/db/rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { EventRow } from './find-event.ts'
import { returnGuestCredits } from './guest-credits.ts'
import type { EventParts } from './parts.ts'

/**
 * Makes an account of a guest: e-mail, user name and password take the place of what nobody knew, the
 * selfies stay, and what was left of the event's goes back to it. Throws `email_taken`, or
 * `guest_unknown` when another request has made one.
 * @returns the token of its first session
 */
export async function keepGuest(
  { database, clock, randomBytes, legalTexts }: EventParts,
  registration: CheckedRegistration,
  { userId, event, origin }: { userId: string; event: EventRow; origin: SessionOrigin },
): Promise<string> {
  const now = clock()
  const passwordHash = await hashPassword(registration.password)
  try {
    return await inTransaction(database, async (transaction) => {
      await returnGuestCredits(transaction, { userId, event, now })
      const kept = await updateRows(transaction, 'users', {
        match: { id: userId, guest_of: event.id },
        set: {
          email: registration.email,
          username: registration.username,
          password_hash: passwordHash,
          terms_version: legalTexts.version('terms'),
          terms_at: now,
          guest_of: null,
        },
      })
      if (kept.length === 0) throw new AppError('guest_unknown')
      await updateRows(transaction, 'event_guests', {
        match: { user_id: userId },
        set: { kept_at: now, hand_over_hash: null, hand_over_until: null },
      })
      await endSessions(transaction, { user_id: userId })
      const opened = { userId, passwordHash, now, randomBytes, origin }
      const token = await openSession(transaction, opened)
      if (token === undefined) throw new AppError('guest_unknown')
      return token
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'users_email_unique') throw error
    throw new AppError('email_taken', { cause: error })
  }
}
