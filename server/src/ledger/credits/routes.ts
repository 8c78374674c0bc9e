import { defaultConsumeAmount, defaultConsumeDescription } from '@starside/contract/limits.ts'
import type { creditRoutes } from '@starside/contract/routes/credit-routes.ts'
import type { LedgerParts } from '../parts.ts'
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.ts'
import type { RouteHandlers } from '../../platform/http/serve-routes.ts'
import { consumeCredits } from './consume-credits.ts'
import { isHistoryId, readCreditHistory } from './queries.ts'
import { releaseOwnHold } from './release-own-hold.ts'

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
      const page = rows.slice(0, pageSize)
      const last = rows.length > pageSize ? page.at(-1) : undefined
      return {
        success: true,
        items: page.map((row) => ({ ...row, at: row.at.toISOString() })),
        nextCursor: last === undefined ? null : encodeCursor(last),
      }
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
      const released = await releaseOwnHold(database, {
        userId: user.userId,
        holdId,
        now: clock(),
      })
      return { success: true, released }
    },
  }
}
