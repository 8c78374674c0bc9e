import { createHmac } from 'node:crypto'
import { signupCredits } from '@starside/contract/limits.ts'
import { openAccount } from '../credits/account.ts'
import { grantCredits } from '../credits/grant.ts'
import type { Transaction } from '../db/database.ts'
import { AppError } from '../http/app-error.ts'

export interface ReferralRules {
  /** Credits to the new user on top of the signup credit. */
  bonusCredits: number
  /** Bonuses that one person's code gives out at most. */
  perReferrerMax: number
  /** Bonuses that one network address block gets within a day at most. */
  perAddressPerDayMax: number
}

/**
 * What a new user gets, in the transaction that makes the account: a credit account, the signup
 * credit and, with somebody's referral code, the referral and its bonus. Past a limit the referral
 * is still recorded, without the bonus. Throws `referral_unknown`, which undoes everything.
 */
export async function welcomeUser(
  transaction: Transaction,
  user: { userId: string; referralCode: string | undefined; address: string; now: Date },
  options: { rules: ReferralRules; addressSalt: string },
): Promise<void> {
  const { userId, now } = user
  await openAccount(transaction, userId)
  await grantCredits(transaction, {
    userId,
    amount: signupCredits,
    reason: 'signup',
    description: 'Welcome to Starside',
    reference: `signup:${userId}`,
    now,
  })
  if (user.referralCode === undefined) return
  const addressHash = hashAddressBlock(user.address, options.addressSalt)
  const referrerUserId = await findReferrer(transaction, user.referralCode)
  const bonusGranted =
    options.rules.bonusCredits > 0 &&
    (await isWithinLimits(transaction, { referrerUserId, addressHash, now }, options.rules))
  await transaction
    .insertInto('referrals')
    .values({
      referred_user_id: userId,
      referrer_user_id: referrerUserId,
      code: user.referralCode,
      address_hash: addressHash,
      bonus_granted: bonusGranted,
      created_at: now,
    })
    .execute()
  if (!bonusGranted) return
  await grantCredits(transaction, {
    userId,
    amount: options.rules.bonusCredits,
    reason: 'referral',
    description: 'Bonus for joining with a referral code',
    reference: `referral:${userId}`,
    now,
  })
}

/** Locks the referrer's row, so that two registrations can't pass one limit side by side. */
async function findReferrer(transaction: Transaction, referralCode: string): Promise<string> {
  const referrer = await transaction
    .selectFrom('users')
    .select('id')
    .where('referral_code', '=', referralCode)
    .where('status', '=', 'active')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (referrer === undefined) throw new AppError('referral_unknown')
  return referrer.id
}

async function isWithinLimits(
  transaction: Transaction,
  referral: { referrerUserId: string; addressHash: Buffer; now: Date },
  rules: ReferralRules,
): Promise<boolean> {
  const dayAgo = new Date(referral.now.getTime() - 24 * 60 * 60_000)
  const { ofReferrer, ofAddress } = await transaction
    .selectFrom('referrals')
    .select(({ fn }) => [
      fn
        .countAll<string>()
        .filterWhere('referrer_user_id', '=', referral.referrerUserId)
        .as('ofReferrer'),
      fn
        .countAll<string>()
        .filterWhere('address_hash', '=', referral.addressHash)
        .filterWhere('created_at', '>', dayAgo)
        .as('ofAddress'),
    ])
    .where('bonus_granted', '=', true)
    .where((where) =>
      where.or([
        where('referrer_user_id', '=', referral.referrerUserId),
        where('address_hash', '=', referral.addressHash),
      ]),
    )
    .executeTakeFirstOrThrow()
  return Number(ofReferrer) < rules.perReferrerMax && Number(ofAddress) < rules.perAddressPerDayMax
}

/**
 * Digest of the address's block (IPv4 /24, IPv6 /48): enough to see farming from one place, and
 * nobody can read the address back without the salt.
 */
export function hashAddressBlock(address: string, salt: string): Buffer {
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/.exec(address)
  const block = ipv4?.[1] ?? address.split(':').slice(0, 3).join(':')
  return createHmac('sha256', salt).update(block).digest()
}
