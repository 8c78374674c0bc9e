import { generationPriceCredits, generationReason } from '@starside/contract/limits.ts'
import type { SelfieParts } from './parts.ts'
import { readAccount } from '../ledger/credits/account.ts'
import {
  attachOpenHold,
  beginPreparing,
  endPreparing,
  findOpenHold,
} from '../ledger/credits/attach-hold.ts'
import { placeHold } from '../ledger/credits/hold.ts'
import { releaseOwnHold } from '../ledger/credits/close-hold.ts'
import type { Transaction } from '../platform/db/database.ts'
import { AppError } from '../platform/errors/app-error.ts'

type Parts = Pick<SelfieParts, 'clock' | 'database'>

/** Refuses before photos are read: `hold_returned` for a named hold, `insufficient_credits`. */
export async function assertCanPay(
  { database, clock }: Parts,
  request: { userId: string; holdId: string | undefined; isHoldOpen: boolean },
): Promise<void> {
  const { userId, holdId, isHoldOpen } = request
  if (isHoldOpen) return
  if (holdId !== undefined) throw new AppError('hold_returned')
  const amount = generationPriceCredits
  if (await findOpenHold(database, { userId, amount, now: clock() })) return
  const { balance } = await readAccount(database, userId)
  if (balance < amount) throw new AppError('insufficient_credits')
}

/**
 * Runs `act`, which claims the named hold or fails; until then no other request that is refused gives
 * that back. Tells it whether the hold is open: the person's, of one generation's price, and unclaimed.
 */
export async function whilePreparing<Result>(
  { database, clock }: Parts,
  { userId, holdId }: { userId: string; holdId: string | undefined },
  act: (isHoldOpen: boolean) => Promise<Result>,
): Promise<Result> {
  if (holdId === undefined) return act(false)
  const amount = generationPriceCredits
  const isHoldOpen = await beginPreparing(database, { userId, holdId, amount, now: clock() })
  try {
    return await act(isHoldOpen)
  } catch (error) {
    if (isHoldOpen) await endPreparing(database, holdId)
    throw error
  }
}

/**
 * Answers the id of the hold that pays: the named one, else the person's newest open one,
 * else a new one. Throws `hold_returned` and `insufficient_credits`.
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
 * Gives back the credit held for a refused generation: the hold it named, else the newest open
 * one. Does nothing where another request still prepares with it, or a generation has claimed it.
 */
export async function giveBackHold(
  { database, clock }: Parts,
  userId: string,
  named?: string,
): Promise<void> {
  const now = clock()
  const claim = { userId, amount: generationPriceCredits, now }
  const holdId = named ?? (await findOpenHold(database, claim))
  if (holdId === undefined) return
  await releaseOwnHold(database, { userId, holdId, now, unlessPreparing: true })
}
