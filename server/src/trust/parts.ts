import type { AccountMemory } from '@starside/engine/account-memory.ts'
import type pg from 'pg'
import type { LimitedCall } from '@starside/contract/routes/limited-calls.ts'
import type { Engine } from '@starside/engine/engine-calls.ts'
import type { AiLabel } from '@starside/engine/finish/ai-label.ts'
import type { GuessLimits } from '../accounts/auth/guess-limits.ts'
import type { FindSession } from '../accounts/auth/session.ts'
import type { PlaceHoldInBatch } from '../ledger/credits/hold.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { RateLimits } from '../platform/http/rate-limits.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import type { Keys } from '../platform/secrets/keys.ts'
import type { Site } from '../platform/site/site.ts'
import type { ObjectStore } from '../platform/storage/object-store.ts'
import type { ImageModels } from '../selfies/providers/image-models.ts'
import type { LegalTexts } from '../shop/legal/legal-texts.ts'

/** What reports, provenance and what users may do with their data need of the program; who opens the program brings it. */
export interface TrustParts {
  /** The settings that are read here. */
  readonly config: {
    /** Where people reach the app, without a slash at the end. */
    readonly publicUrl: string
    /** Host name of `publicUrl`: also the text of the watermark. */
    readonly publicHost: string
    /** What pictures visibly say of how they were made. */
    readonly aiLabel: AiLabel
    readonly role: 'api' | 'worker' | 'all'
    readonly generationsAtOnce: number
    /** How long a picture can be adjusted; 0: not at all. */
    readonly layersMinutes: number
  }
  readonly database: Database
  readonly pool: pg.Pool
  /** What operators have set: the name, the prices and so on. */
  readonly site: Site
  readonly store: ObjectStore
  readonly uploads: Pick<AccountMemory<object>, 'forget'>
  readonly engine: Engine
  readonly mailer: Mailer
  /** The providers of pictures that are set up. */
  readonly images: ImageModels
  /** Terms, privacy and imprint as they are published. */
  readonly legalTexts: LegalTexts
  /** Who a token belongs to; many at once go in one statement. */
  readonly findSession: FindSession
  /** Places a hold; many at once go in one statement. */
  readonly placeHold: PlaceHoldInBatch
  /** How often each call may be made, across all nodes. */
  readonly limits: RateLimits<LimitedCall>
  /** Limits on guessing passwords. */
  readonly guessLimits: GuessLimits
  readonly clock: Clock
  /** A key for each purpose of our own. */
  readonly keys: Keys
}
