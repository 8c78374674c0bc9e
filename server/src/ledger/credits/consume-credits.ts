import { consumeAmountMax, readGenerationReason } from '@starside/contract/limits.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { PlaceHoldInBatch } from './hold.ts'

/**
 * The specification's consume-credits call: keeps credits aside for fifteen minutes. A generation
 * that follows captures them; otherwise they come back by themselves.
 * Throws `amount_invalid`, `insufficient_credits`, `idempotency_conflict`, or `hold_returned` when the
 * same reference held credits before and they have gone back.
 */
export async function consumeCredits(
  placeHold: PlaceHoldInBatch,
  options: { userId: string; amount: unknown; description: string; reference: string; now: Date },
): Promise<{ holdId: string; remainingCredits: number }> {
  const { amount } = options
  if (!isAcceptedAmount(amount)) throw new AppError('amount_invalid')
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

function isAcceptedAmount(amount: unknown): amount is number {
  return (
    typeof amount === 'number' &&
    Number.isInteger(amount) &&
    amount >= 1 &&
    amount <= consumeAmountMax
  )
}
