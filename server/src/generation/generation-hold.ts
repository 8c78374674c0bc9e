import { generationPriceCredits, generationReason } from '@starside/contract/limits.ts'
import type { Context } from '../context.ts'
import { readAccount } from '../credits/account.ts'
import { attachOpenHold, findOpenHold } from '../credits/attach-hold.ts'
import { placeHold } from '../credits/hold.ts'
import { releaseOwnHold } from '../credits/release-own-hold.ts'
import type { Transaction } from '../db/database.ts'
import { AppError } from '../errors/app-error.ts'

type Parts = Pick<Context, 'clock' | 'database'>

/**
 * Refuses early, before the photos are looked at; the hold itself decides. Throws `hold_returned`
 * when the named hold isn't open any more, and `insufficient_credits`.
 */
export async function assertCanPay(
  parts: Parts,
  userId: string,
  holdId: string | undefined,
): Promise<void> {
  const amount = generationPriceCredits
  const open = await findOpenHold(parts.database, {
    userId,
    holdId,
    amount,
    now: parts.clock(),
  })
  if (open !== undefined) return
  if (holdId !== undefined) throw new AppError('hold_returned')
  const { balance } = await readAccount(parts.database, userId)
  if (balance < amount) throw new AppError('insufficient_credits')
}

/**
 * The hold that pays for a generation: the named one, else the person's newest open one, else a new
 * one. Throws `hold_returned` and `insufficient_credits`.
 * @returns its id
 */
export async function obtainHold(
  transaction: Transaction,
  options: {
    userId: string
    holdId: string | undefined
    generationId: string
    celebrity: string
    now: Date
    expiresAt: Date
  },
): Promise<string> {
  const { generationId, celebrity, now, expiresAt } = options
  const attachedTo = `generation:${generationId}`
  const amount = generationPriceCredits
  const open = await attachOpenHold(transaction, { ...options, amount, attachedTo })
  if (open !== undefined) return open
  if (options.holdId !== undefined) throw new AppError('hold_returned')
  const placed = await placeHold(transaction, {
    userId: options.userId,
    amount,
    description: generationReason(celebrity),
    celebrity,
    reference: attachedTo,
    attachedTo,
    now,
    lifetimeMs: expiresAt.getTime() - now.getTime(),
  })
  if (placed.outcome === 'insufficient_credits') throw new AppError('insufficient_credits')
  if (placed.outcome === 'reference_conflict') throw new Error(`${attachedTo} was held before`)
  return placed.holdId
}

/**
 * Gives back the credit that consume-credits had set aside for a generation that was refused: the
 * named hold, and only that one, or without a name the newest open one. Without such a hold, and
 * when a generation has claimed it, nothing happens.
 */
export async function giveBackOpenHold(
  parts: Parts,
  userId: string,
  named: string | undefined,
): Promise<void> {
  const { database, clock } = parts
  const amount = generationPriceCredits
  const guess = { userId, holdId: undefined, amount, now: clock() }
  const holdId = named ?? (await findOpenHold(database, guess))
  if (holdId !== undefined) await releaseOwnHold(database, { userId, holdId, now: clock() })
}
