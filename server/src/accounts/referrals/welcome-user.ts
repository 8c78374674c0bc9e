import type { RegistrationNotice } from '@starside/contract/auth.ts'
import { signupCredits } from '@starside/contract/limits.ts'
import { sql } from 'kysely'
import { openAccount } from '../../ledger/credits/account.ts'
import { grantCredits } from '../../ledger/credits/grant.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { findRow, insertRow, updateRows } from '../../platform/db/rows.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { networkBlock } from '../../platform/http/network-address.ts'
import type { KeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import { lockTexts } from '../../platform/db/advisory-lock.ts'

export interface ReferralRules {
  /** Credits to the new user on top of the signup credit. */
  bonusCredits: number
  /** Bonuses that one person's code gives out at most. */
  perReferrerMax: number
  /** Bonuses that one network address block gets within a day at most. */
  perAddressPerDayMax: number
  /** Bonuses that one browser gets at most, ever. */
  perDeviceMax: number
  /** True: the bonus is paid when the new user's e-mail is confirmed. */
  afterConfirmation: boolean
}

/**
 * Gives a new user, in the transaction that makes it: a credit account, one signup credit a mailbox, and with
 * somebody's code a referral and its bonus (past a limit, the referral alone). Answers what they have to know.
 * Throws `referral_unknown`, which undoes everything.
 */
export async function welcomeUser(
  transaction: Transaction,
  user: {
    userId: string
    /** As `mailboxOf` gives it. */
    mailbox: string
    referralCode: string | undefined
    address: string
    /** The new user's browser, by the digest of what stays in its cookie. */
    device: { browserHash: Buffer }
    now: Date
  },
  { rules, digest, siteName }: { rules: ReferralRules; digest: KeyedDigest; siteName: string },
): Promise<RegistrationNotice[]> {
  const { userId, now } = user
  await openAccount(transaction, userId)
  const isNewMailbox = await claimSignupCredit(transaction, digest(`mailbox ${user.mailbox}`), now)
  if (isNewMailbox) {
    await grantCredits(transaction, {
      userId,
      amount: signupCredits,
      reason: 'signup',
      description: `Welcome to ${siteName}`,
      reference: `signup:${userId}`,
      now,
    })
  }
  const notices: RegistrationNotice[] = isNewMailbox ? [] : ['signup_credit_used']
  if (user.referralCode === undefined) return notices
  const addressHash = digest(`network ${networkBlock(user.address)}`)
  const deviceHash = user.device.browserHash
  // Registrations that count towards the same limit wait for each other, whoever referred them.
  await lockTexts(transaction, [
    `referrals of network ${addressHash.toString('hex')}`,
    `referrals of device ${deviceHash.toString('hex')}`,
  ])
  const referrerUserId = await findReferrer(transaction, user.referralCode)
  const deservesBonus =
    isNewMailbox &&
    rules.bonusCredits > 0 &&
    (await isWithinLimits(transaction, { referrerUserId, addressHash, deviceHash, now }, rules))
  const bonusGranted = deservesBonus && !rules.afterConfirmation
  await insertRow(transaction, 'referrals', {
    referred_user_id: userId,
    referrer_user_id: referrerUserId,
    code: user.referralCode,
    address_hash: addressHash,
    device_hash: deviceHash,
    bonus_granted: bonusGranted,
    bonus_pending: deservesBonus && !bonusGranted,
    created_at: now,
  })
  if (bonusGranted) {
    await grantBonus(transaction, { userId, now }, rules)
    return notices
  }
  return [
    ...notices,
    deservesBonus ? 'referral_bonus_after_confirmation' : 'referral_bonus_withheld',
  ]
}

/** True for the first account of a mailbox; the database takes each mailbox once. */
async function claimSignupCredit(transaction: Transaction, mailboxHash: Buffer, now: Date) {
  const claimed = await transaction
    .insertInto('signup_credits')
    .values({ mailbox_hash: mailboxHash, granted_at: now })
    .onConflict((conflict) => conflict.constraint('signup_credits_once_per_mailbox').doNothing())
    .returning('granted_at')
    .executeTakeFirst()
  return claimed !== undefined
}

/** Pays the bonus that waited for the e-mail to be confirmed, where there is one, once. */
export async function payPendingBonus(
  transaction: Transaction,
  user: { userId: string; now: Date },
  rules: ReferralRules,
): Promise<void> {
  const pending = await updateRows(transaction, 'referrals', {
    match: { referred_user_id: user.userId, bonus_pending: true },
    set: { bonus_pending: false, bonus_granted: true },
  })
  if (pending.length > 0) await grantBonus(transaction, user, rules)
}

async function grantBonus(
  transaction: Transaction,
  { userId, now }: { userId: string; now: Date },
  rules: ReferralRules,
): Promise<void> {
  if (rules.bonusCredits === 0) return
  await grantCredits(transaction, {
    userId,
    amount: rules.bonusCredits,
    reason: 'referral',
    description: 'Bonus for joining with a referral code',
    reference: `referral:${userId}`,
    now,
  })
}

/** Locks the referrer's row, so that two registrations can't pass one limit side by side. */
async function findReferrer(transaction: Transaction, referralCode: string): Promise<string> {
  // Guests of events invite nobody.
  const match = sql`referral_code = ${referralCode} and guest_of is null and status = 'active'`
  const referrer = await findRow(transaction, 'users', sql`${match} for no key update`)
  if (referrer === undefined) throw new AppError('referral_unknown')
  return referrer.id
}

async function isWithinLimits(
  transaction: Transaction,
  referral: { referrerUserId: string; addressHash: Buffer; deviceHash: Buffer; now: Date },
  rules: ReferralRules,
): Promise<boolean> {
  const dayAgo = new Date(referral.now.getTime() - 24 * 60 * 60_000)
  const { rows } = await sql<{ ofReferrer: number; ofAddress: number; ofDevice: number }>`
    select count(*) filter (where referrer_user_id = ${referral.referrerUserId})::integer as "ofReferrer",
      count(*) filter (where address_hash = ${referral.addressHash} and created_at > ${dayAgo})::integer
        as "ofAddress",
      count(*) filter (where device_hash = ${referral.deviceHash})::integer as "ofDevice"
    from referrals
    where (bonus_granted or bonus_pending) and (referrer_user_id = ${referral.referrerUserId}
      or address_hash = ${referral.addressHash} or device_hash = ${referral.deviceHash})
  `.execute(transaction)
  return rows.some(
    ({ ofReferrer, ofAddress, ofDevice }) =>
      ofReferrer < rules.perReferrerMax &&
      ofAddress < rules.perAddressPerDayMax &&
      ofDevice < rules.perDeviceMax,
  )
}
