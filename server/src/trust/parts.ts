import type { AccountParts } from '../accounts/parts.ts'
import type { LedgerParts } from '../ledger/parts.ts'
import type { SelfieParts } from '../selfies/parts.ts'
import type { ShopParts } from '../shop/parts.ts'

/** What reports, provenance and what users may do with their data need of the program; who opens the program brings it. */
export interface TrustParts
  extends
    Pick<SelfieParts, 'config' | 'engine' | 'images'>,
    Pick<AccountParts, 'uploads' | 'guessLimits'>,
    Pick<LedgerParts, 'placeHold'>,
    Omit<ShopParts, 'config'> {}
