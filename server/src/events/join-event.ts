import type { Language } from '@starside/contract/languages.ts'
import { hashPassword } from '../accounts/auth/password.ts'
import { createReferralCode } from '../accounts/auth/register.ts'
import { openSession, createToken } from '../accounts/auth/session.ts'
import type { SessionOrigin } from '../accounts/auth/session.ts'
import { openAccount } from '../ledger/credits/account.ts'
import { moveEventCredits } from '../ledger/credits/move-credits.ts'
import { inTransaction } from '../platform/db/database.ts'
import { insertRow } from '../platform/db/rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { assertRunning, deletionOf } from './find-event.ts'
import type { EventRow } from './find-event.ts'
import type { EventParts } from './parts.ts'

/** How long a guest keeps selfies that they don't make. */
const creditsKeptMs = 60 * 60_000

/**
 * Makes a guest who has agreed to the words of consent: an account without a mailbox and a password
 * that nobody knows, the selfies of one guest out of the budget, and a session until all is deleted.
 * Throws `event_upcoming`, `event_over`, `event_consent_outdated` or `event_credits_used`.
 * @returns the guest, and the session's token
 */
export async function joinEvent(
  { database, clock, randomBytes }: Pick<EventParts, 'clock' | 'database' | 'randomBytes'>,
  event: EventRow,
  guest: {
    consentVersion: string
    kioskId: string | undefined
    language: Language
    origin: SessionOrigin
  },
): Promise<{ userId: string; token: string }> {
  const now = clock()
  assertRunning(event, now)
  if (guest.consentVersion !== event.consent_version) throw new AppError('event_consent_outdated')
  const userId = crypto.randomUUID()
  const passwordHash = await hashPassword(createToken(randomBytes))
  return inTransaction(database, async (transaction) => {
    await insertRow(transaction, 'users', {
      id: userId,
      // Of a domain that takes no mail (RFC 2606).
      email: `${userId}@guest.invalid`,
      username: 'Guest',
      password_hash: passwordHash,
      referral_code: createReferralCode(randomBytes, 16),
      created_at: now,
      language: guest.language,
      guest_of: event.id,
    })
    await insertRow(transaction, 'event_guests', {
      user_id: userId,
      event_id: event.id,
      kiosk_id: guest.kioskId ?? null,
      consent_version: guest.consentVersion,
      joined_at: now,
      credits_until: new Date(now.getTime() + creditsKeptMs),
    })
    const accountId = await openAccount(transaction, userId, { isUnmarked: !event.has_brand_mark })
    const moved = await moveEventCredits(transaction, {
      fromAccountId: event.account_id,
      toAccountId: accountId,
      amount: event.selfies_per_guest,
      description: event.title,
      reference: `event-guest:${userId}`,
      now,
    })
    if (moved === 0) throw new AppError('event_credits_used')
    const lifetimeMs = deletionOf(event).getTime() - now.getTime()
    const { origin } = guest
    const opened = { userId, passwordHash, now, randomBytes, origin, lifetimeMs }
    const token = await openSession(transaction, opened)
    if (token === undefined) throw new Error('a guest who was just made took no session')
    return { userId, token }
  })
}
