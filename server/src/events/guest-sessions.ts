import type { Language } from '@starside/contract/languages.ts'
import { sql } from 'kysely'
import type { CheckedRegistration } from '../accounts/auth/check-registration.ts'
import { hashPassword } from '../accounts/auth/password.ts'
import { createReferralCode } from '../accounts/auth/register.ts'
import { createToken, endSessions, hashToken, openSession } from '../accounts/auth/session.ts'
import type { SessionOrigin, SignedInUser } from '../accounts/auth/session.ts'
import { openAccount } from '../ledger/credits/account.ts'
import { drawVoucherCode, readVoucherCode } from '../ledger/vouchers/voucher-code.ts'
import { inTransaction } from '../platform/db/database.ts'
import type { Transaction } from '../platform/db/database.ts'
import { violatedConstraint } from '../platform/db/postgres-errors.ts'
import { findRow, insertRow, updateRows } from '../platform/db/rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { assertRunning, hasCredits, secondsToDeletion } from './event.ts'
import type { EventRow } from './event.ts'
import { lockGuest, returnGuestCredits } from './guest-credits.ts'
import type { EventParts } from './parts.ts'
import { fromNow } from '../platform/clock.ts'

type Parts = Pick<EventParts, 'clock' | 'database' | 'randomBytes'>

type GuestSession = Pick<SignedInUser, 'sessionId' | 'userId'>

const codeLifetimeMs = 10 * 60_000

/**
 * Makes a guest who has agreed: an account with no mailbox or known password, without a credit until a selfie is
 * wanted, and a session until all is deleted. Throws `event_upcoming`, `event_over`, `event_consent_outdated` or
 * `event_credits_used`. Answers the guest and the session's token.
 */
export async function joinEvent(
  { database, clock, randomBytes }: Parts,
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
  if (!(await hasCredits(database, event))) throw new AppError('event_credits_used')
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
      credits_until: now,
    })
    await openAccount(transaction, userId, { isUnmarked: !event.has_brand_mark })
    const lifetimeMs = secondsToDeletion(event, now) * 1_000
    const opened = { userId, passwordHash, now, randomBytes, origin: guest.origin, lifetimeMs }
    const token = await openSession(transaction, opened)
    if (token === undefined) throw new Error('a guest who was just made took no session')
    return { userId, token }
  })
}

/** A code by which another device goes on as this guest; one given before is void. Throws `guest_unknown`. */
export async function offerHandOver(
  { database, clock, randomBytes }: Parts,
  guest: GuestSession,
): Promise<string> {
  const code = drawVoucherCode(randomBytes)
  const until = fromNow({ clock }, codeLifetimeMs)
  const set = { hand_over_hash: hashCode(code), hand_over_until: until }
  return inTransaction(database, async (transaction) => {
    await assertStillGuest(transaction, guest)
    await updateRows(transaction, 'event_guests', { match: { user_id: guest.userId }, set })
    return code
  })
}

/**
 * Opens a guest's session by a code, once. It counts as no kiosk's and ends all others but a kiosk's: who sends
 * a link sees nothing of what is made. Throws `hand_over_unknown`, or `guest_has_selfies` where the browser's guest
 * `replacedId` is another one with selfies. Answers the guest and the session's token.
 */
export async function takeOver(
  { database, clock, randomBytes }: Parts,
  taking: { event: EventRow; code: string; origin: SessionOrigin; replacedId: string | undefined },
): Promise<{ userId: string; token: string }> {
  const { event, code, origin, replacedId } = taking
  const now = clock()
  if (readVoucherCode(code) === undefined) throw new AppError('hand_over_unknown')
  const given = { event_id: event.id, hand_over_hash: hashCode(code) }
  return inTransaction(database, async (transaction) => {
    const guest = await transaction
      .selectFrom('event_guests')
      .innerJoin('users', 'users.id', 'event_guests.user_id')
      .select(['users.id as userId', 'users.password_hash as passwordHash', 'kiosk_id as kioskId'])
      .where((where) => where.and(given))
      .where('hand_over_until', '>', now)
      .whereRef('users.guest_of', '=', 'event_guests.event_id')
      // First of all, as wherever a guest becomes something else.
      .forNoKeyUpdate('users')
      .executeTakeFirst()
    if (guest === undefined) throw new AppError('hand_over_unknown')
    const { userId, passwordHash, kioskId } = guest
    if (replacedId !== undefined && replacedId !== userId) {
      const own = { user_id: replacedId, state: 'done', deleted_at: null } as const
      const made = await findRow(transaction, 'generations', own)
      if (made !== undefined) throw new AppError('guest_has_selfies')
    }
    const set = { kiosk_id: null, ...withoutHandOver }
    const taken = await updateRows(transaction, 'event_guests', { match: given, set })
    if (taken.length === 0) throw new AppError('hand_over_unknown')
    if (kioskId === null) await endSessions(transaction, { user_id: userId })
    const lifetimeMs = secondsToDeletion(event, now) * 1_000
    const opened = { userId, passwordHash, now, randomBytes, origin, lifetimeMs }
    const token = await openSession(transaction, opened)
    if (token === undefined) throw new AppError('hand_over_unknown')
    return { userId, token }
  })
}

/**
 * Ends a guest's session. What they have left goes back to the event, unless they go on elsewhere, as on a phone
 * that took over from a kiosk.
 */
export async function leaveEvent(
  { database, clock }: Parts,
  event: EventRow,
  { userId, sessionId }: GuestSession,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const elsewhere = sql`user_id = ${userId} and id <> ${sessionId} limit 1`
    if ((await findRow(transaction, 'sessions', elsewhere)) === undefined) {
      await returnGuestCredits(transaction, { userId, event, now: clock() })
    }
    await endSessions(transaction, { user_id: userId, id: sessionId })
  })
}

/**
 * Makes an account of a guest, with their selfies, which leave the wall; what is left of the event's credits
 * goes back to it, and further selfies are those of any account. Answers the first session's token. Throws `email_taken`, or
 * `guest_unknown` when another request was first.
 */
export async function keepGuest(
  { database, clock, randomBytes, legalTexts }: EventParts,
  registration: CheckedRegistration,
  { event, origin, ...guest }: GuestSession & { event: EventRow; origin: SessionOrigin },
): Promise<string> {
  const [now, { userId }] = [clock(), guest]
  const passwordHash = await hashPassword(registration.password)
  try {
    return await inTransaction(database, async (transaction) => {
      await assertStillGuest(transaction, guest)
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
      const tier = { match: { user_id: userId, is_unmarked: true }, set: { unmarked_until: now } }
      await updateRows(transaction, 'credit_accounts', tier)
      const set = { kept_at: now, ...withoutHandOver }
      await updateRows(transaction, 'event_guests', { match: { user_id: userId }, set })
      const own = sql`generation_id in (select id from generations where user_id = ${userId})`
      // No guest any more, they could not say no to it later.
      await updateRows(transaction, 'event_selfies', { match: own, set: { wall: 'private' } })
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

/** Holds a guest as they are, whose session a phone may have ended since it was looked at. Throws `guest_unknown`. */
async function assertStillGuest(transaction: Transaction, guest: GuestSession): Promise<void> {
  await lockGuest(transaction, guest.userId)
  const session = { id: guest.sessionId, user_id: guest.userId }
  if (!(await findRow(transaction, 'sessions', session))) throw new AppError('guest_unknown')
}

const withoutHandOver = { hand_over_hash: null, hand_over_until: null }

function hashCode(code: string): Buffer {
  return hashToken(readVoucherCode(code) ?? '')
}
