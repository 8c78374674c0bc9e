import type { FindSession } from '../accounts/auth/session.ts'
import type { PlatformParts } from '../platform/parts.ts'
import type { LegalTexts } from './legal/legal-texts.ts'

/** What the shop needs of the program; who opens the program brings it. */
export interface ShopParts extends PlatformParts {
  /** Terms, privacy and imprint as they are published. */
  readonly legalTexts: LegalTexts
  /** Who a token belongs to; many at once go in one statement. */
  readonly findSession: FindSession
}
