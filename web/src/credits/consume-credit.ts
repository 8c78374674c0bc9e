import type { ConsumeCreditsAnswer } from '@starside/contract/credits.ts'
import { call } from '../api/call.ts'

/** Puts `amount` credits aside for what `description` names. Throws `ApiError`. */
export function consumeCredit(
  amount: number,
  description: string,
  idempotencyKey: string,
): Promise<ConsumeCreditsAnswer> {
  return call('POST /api/user?action=consume-credits', {
    body: { amount, description },
    idempotencyKey,
  })
}
