import type { LimitedCall } from '@starside/contract/routes/limited-calls.ts'
import type { FindSession } from '../accounts/auth/session.ts'
import type { RateLimits } from '../platform/http/rate-limits.ts'
import type { LegalTexts } from './legal/legal-texts.ts'

/** What the shop needs of the program; who opens the program brings it. */
export interface ShopParts {
  /** Terms, privacy and imprint as they are published. */
  readonly legalTexts: LegalTexts
  /** Who a token belongs to; many at once go in one statement. */
  readonly findSession: FindSession
  /** How often each call may be made, across all nodes. */
  readonly limits: RateLimits<LimitedCall>
}
