import type { CreditHistoryItem } from '@starside/contract/credits.ts'
import { splitCelebrities } from '@starside/contract/limits.ts'
import { joinStars } from '../ui/join-stars.ts'
import { fill } from '@starside/contract/fill.ts'
import type { DashboardMessages } from '../ui/messages/dashboard.en.ts'

/**
 * The line under an entry's reason, in the reader's language; null where the reason says it all.
 * What an operator wrote is shown as written.
 */
export function describeEntry(
  {
    reason,
    description,
    celebrity,
  }: Pick<CreditHistoryItem, 'reason' | 'description' | 'celebrity'>,
  m: DashboardMessages,
): string | null {
  if (celebrity !== null) {
    const names = splitCelebrities(celebrity)
    return fill(m.celebrityReason, { celebrity: joinStars(names, m) })
  }
  return reason === 'correction' ? description || null : null
}
