import type { CreditHistoryItem } from '@starside/contract/credits.ts'
import { joinStars } from '../ui/join-stars.ts'
import { fill } from '@starside/contract/fill.ts'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'

/**
 * The line under an entry's reason, in the reader's language; null where the reason says it all.
 * What an operator wrote is shown as written.
 */
export function describeEntry(
  {
    reason,
    description,
    celebrities,
  }: Pick<CreditHistoryItem, 'reason' | 'description' | 'celebrities'>,
  m: DashboardMessages,
): string | null {
  if (celebrities.length > 0) {
    return fill(m.celebrityReason, { celebrity: joinStars(celebrities, m) })
  }
  return reason === 'correction' ? description || null : null
}
