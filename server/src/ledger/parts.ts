import type { PlaceHoldInBatch } from './credits/hold.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { Keys } from '../platform/secrets/keys.ts'
import type { RandomBytes } from '../platform/secrets/random-bytes.ts'

/** What the ledger needs of the program; who opens the program brings it. */
export interface LedgerParts {
  readonly database: Database
  readonly placeHold: PlaceHoldInBatch
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  readonly keys: Keys
}
