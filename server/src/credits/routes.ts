import { consumeCreditsInput, releaseHoldInput } from '@starside/contract/credits.ts'
import type {
  ConsumeCreditsAnswer,
  CreditHistoryAnswer,
  ReleaseHoldAnswer,
} from '@starside/contract/credits.ts'
import { defaultConsumeAmount, defaultConsumeDescription } from '@starside/contract/limits.ts'
import type { FastifyRequest } from 'fastify'
import type { SignedInUser } from '../auth/session.ts'
import type { Context } from '../context.ts'
import { decodeCursor, encodeCursor } from '../http/cursor.ts'
import { readIdempotencyKey } from '../http/idempotency-key.ts'
import { parseInput } from '../http/parse-input.ts'
import { consumeCredits } from './consume-credits.ts'
import { isHistoryId, readCreditHistory } from './queries.ts'
import { releaseOwnHold } from './release-own-hold.ts'

const pageSize = 50

/** `POST /api/user?action=consume-credits`. */
export async function answerConsumeCredits(
  context: Context,
  request: FastifyRequest,
  user: SignedInUser,
): Promise<ConsumeCreditsAnswer> {
  const input = parseInput(consumeCreditsInput, request.body)
  const { holdId, remainingCredits } = await consumeCredits(context.placeHold, {
    userId: user.userId,
    amount: input.amount === undefined ? defaultConsumeAmount : input.amount,
    description: input.description?.trim() || defaultConsumeDescription,
    reference: `consume:${readIdempotencyKey(request) ?? crypto.randomUUID()}`,
    now: context.clock(),
  })
  return { success: true, remainingCredits, holdId }
}

/** `POST /api/user?action=release-hold`: nothing happens where there is nothing to give back. */
export async function answerReleaseHold(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  request: FastifyRequest,
  user: SignedInUser,
): Promise<ReleaseHoldAnswer> {
  const { holdId } = parseInput(releaseHoldInput, request.body)
  const released = await releaseOwnHold(database, { userId: user.userId, holdId, now: clock() })
  return { success: true, released }
}

/** `GET /api/user?action=credit-history`. */
export async function answerCreditHistory(
  context: Context,
  request: FastifyRequest,
  user: SignedInUser,
): Promise<CreditHistoryAnswer> {
  const rows = await readCreditHistory(context.database, {
    userId: user.userId,
    after: decodeCursor((request.query as { cursor?: unknown }).cursor, isHistoryId),
    limit: pageSize + 1,
  })
  const page = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? page.at(-1) : undefined
  return {
    success: true,
    items: page.map((row) => ({ ...row, at: row.at.toISOString() })),
    nextCursor: last === undefined ? null : encodeCursor(last),
  }
}
