import { z } from 'zod'
import { successful } from './successful.ts'

/** `amount` stays unknown here: a wrong one has a sentence of its own (`amount_invalid`). */
export const consumeCreditsInput = z.object({
  amount: z.unknown().optional(),
  description: z.string().max(200).optional(),
})

export const consumeCreditsAnswer = successful({
  remainingCredits: z.number().int(),
  /** The hold that a following generation captures. */
  holdId: z.string(),
})

export const releaseHoldInput = z.object({
  /** The hold that `consume-credits` answered. */
  holdId: z.uuid(),
})

export const releaseHoldAnswer = successful({
  /** True when this call gave the credits back; false when there was nothing to give back. */
  released: z.boolean(),
})

/** Why credits came or went, as the history names it. */
export const creditReason = z.enum([
  'signup',
  'referral',
  'purchase',
  'usage',
  'correction',
  'voucher',
  'event',
  'held',
  'refunded',
])

export const creditHistoryItem = z.object({
  id: z.string(),
  reason: creditReason,
  /** Signed change in credits as the user sees it; 0 for a refunded hold. */
  amount: z.number().int(),
  description: z.string(),
  /** Whom the credit's selfie was with (`customCelebrity`: an own photo); null for no selfie. */
  celebrity: z.string().nullable(),
  /** The same one by one, as a star's own name may have an 'and' in it; none for something else. */
  celebrities: z.array(z.string()),
  /** What was paid for credits that were bought, in US dollars; null for everything else. */
  order: z.object({ orderId: z.string(), amount: z.number() }).nullable(),
  /** ISO time. */
  at: z.string(),
})
export type CreditHistoryItem = z.infer<typeof creditHistoryItem>

export const creditHistoryAnswer = successful({
  items: z.array(creditHistoryItem),
  nextCursor: z.string().nullable(),
})
