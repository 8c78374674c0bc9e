import {
  defaultConsumeAmount,
  defaultConsumeDescription,
  consumeAmountMax,
  readGenerationReason,
} from '@starside/contract/limits.ts'
import type { creditRoutes } from '@starside/contract/routes/credit-routes.ts'
import { z } from 'zod'
import type { LedgerParts } from '../parts.ts'
import { decodeCursor, pageOf } from '../../platform/http/cursor.ts'
import type { RouteHandlers } from '../../platform/http/serve-routes.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { isHistoryId, readCreditHistory } from './queries.ts'
import { releaseOwnHold } from './close-hold.ts'
import type { PlaceHoldInBatch } from './hold.ts'

const pageSize = 50

/** What a person does with their credits, beside buying them. */
export function handleCredits({
  database,
  clock,
  placeHold,
}: Pick<LedgerParts, 'database' | 'clock' | 'placeHold'>): RouteHandlers<
  typeof creditRoutes,
  { readonly userId: string }
> {
  return {
    'GET /api/user?action=credit-history': async ({ user, query }) => {
      const rows = await readCreditHistory(database, {
        userId: user.userId,
        after: decodeCursor(query.cursor, isHistoryId),
        limit: pageSize + 1,
      })
      const { page, nextCursor } = pageOf(rows, pageSize, (row) => row.at)
      const items = page.map((row) => ({ ...row, at: row.at.toISOString() }))
      return { success: true, items, nextCursor }
    },
    'POST /api/user?action=consume-credits': async ({ user, body, idempotencyKey }) => {
      const { holdId, remainingCredits } = await consumeCredits(placeHold, {
        userId: user.userId,
        amount: body.amount === undefined ? defaultConsumeAmount : body.amount,
        description: body.description?.trim() || defaultConsumeDescription,
        reference: `consume:${idempotencyKey ?? crypto.randomUUID()}`,
        now: clock(),
      })
      return { success: true, remainingCredits, holdId }
    },
    // Nothing happens where there is nothing to give back.
    'POST /api/user?action=release-hold': async ({ user, body: { holdId } }) => {
      const released = await releaseOwnHold(database, { userId: user.userId, holdId, now: clock() })
      return { success: true, released }
    },
  }
}

/**
 * Holds credits for fifteen minutes (consume-credits), for a generation to capture. Throws `amount_invalid`,
 * `insufficient_credits`, `idempotency_conflict`, or `hold_returned` where the reference's have gone back.
 */
export async function consumeCredits(
  placeHold: PlaceHoldInBatch,
  options: { userId: string; amount: unknown; description: string; reference: string; now: Date },
): Promise<{ holdId: string; remainingCredits: number }> {
  const { success, data: amount } = acceptedAmount.safeParse(options.amount)
  if (!success) throw new AppError('amount_invalid')
  const celebrity = readGenerationReason(options.description)
  const result = await placeHold({ ...options, amount, celebrity })
  switch (result.outcome) {
    case 'insufficient_credits':
      throw new AppError('insufficient_credits')
    case 'reference_conflict':
      throw new AppError('idempotency_conflict')
    case 'held':
      if (result.state === 'released' || result.state === 'expired') {
        throw new AppError('hold_returned')
      }
      return { holdId: result.holdId, remainingCredits: result.balance }
  }
}

const acceptedAmount = z.int().min(1).max(consumeAmountMax)
