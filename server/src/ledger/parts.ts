import type { PlatformParts } from '../platform/parts.ts'
import type { PlaceHoldInBatch } from './credits/hold.ts'

/** What the ledger needs of the program; who opens the program brings it. */
export interface LedgerParts extends PlatformParts {
  readonly placeHold: PlaceHoldInBatch
}
