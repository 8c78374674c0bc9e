import type { CreditHistoryItem } from '@starside/contract/credits.ts'
import { customCelebrity, generationReason } from '@starside/contract/limits.ts'
import { fill } from '../ui/fill.ts'
import type { DashboardMessages } from '../ui/messages/dashboard.en.ts'

/**
 * The line under an entry's reason, in the reader's language; null where the reason says it all.
 * The ledger keeps one wording whatever language a credit was spent in; what an operator wrote is
 * shown as written.
 */
export function describeEntry(
  { reason, description }: Pick<CreditHistoryItem, 'reason' | 'description'>,
  m: DashboardMessages,
): string | null {
  if (reason === 'signup' || reason === 'referral' || reason === 'purchase') return null
  const start = generationReason('')
  if (!description.startsWith(start)) return reason === 'correction' ? description || null : null
  const celebrity = description.slice(start.length)
  const name = celebrity === customCelebrity ? m.customPhoto : celebrity
  return fill(m.celebrityReason, { celebrity: name })
}
