import type { AccountParts } from '../accounts/parts.ts'
import type { LedgerParts } from '../ledger/parts.ts'
import type { SelfieParts } from '../selfies/parts.ts'
import type { ShopParts } from '../shop/parts.ts'

type OfSelfies =
  | 'config'
  | 'database'
  | 'site'
  | 'store'
  | 'engine'
  | 'images'
  | 'findSession'
  | 'limits'
  | 'clock'
  | 'keys'

/** What reports, provenance and what users may do with their data need of the program; who opens the program brings it. */
export interface TrustParts
  extends
    Pick<SelfieParts, OfSelfies>,
    Pick<AccountParts, 'pool' | 'uploads' | 'mailer' | 'guessLimits'>,
    Pick<LedgerParts, 'placeHold'>,
    ShopParts {}
