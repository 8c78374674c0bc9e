import { consumeAmountMax } from '@starside/contract/limits.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../http/app-error.ts'
import { placeHold } from './hold.ts'

/**
 * The specification's consume-credits call: keeps credits aside for fifteen minutes. A generation
 * that follows captures them; otherwise they come back by themselves.
 * Throws `amount_invalid`, `insufficient_credits` or `idempotency_conflict`.
 */
export async function consumeCredits(
  database: Database,
  options: { userId: string; amount: unknown; description: string; reference: string; now: Date },
): Promise<{ holdId: string; remainingCredits: number }> {
  const { amount } = options
  if (!isAcceptedAmount(amount)) throw new AppError('amount_invalid')
  const result = await placeHold(database, { ...options, amount })
  switch (result.outcome) {
    case 'insufficient_credits':
      throw new AppError('insufficient_credits')
    case 'reference_conflict':
      throw new AppError('idempotency_conflict')
    case 'held':
      return { holdId: result.holdId, remainingCredits: result.balance }
  }
}

function isAcceptedAmount(amount: unknown): amount is number {
  return (
    typeof amount === 'number' &&
    Number.isInteger(amount) &&
    amount >= 1 &&
    amount <= consumeAmountMax
  )
}
