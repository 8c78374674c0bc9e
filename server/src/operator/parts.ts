import type { Engine } from '@starside/engine/engine-calls.ts'
import type { GuessLimits } from '../accounts/auth/guess-limits.ts'
import type { Config } from '../config.ts'
import type { Moderation } from '../moderation/moderation.ts'
import type { Payments } from '../payments/payments.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { Notifications } from '../platform/db/notifications.ts'
import type { JobQueue } from '../platform/jobs/job-queue.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import type { Keys } from '../platform/secrets/keys.ts'
import type { RandomBytes } from '../platform/secrets/random-bytes.ts'
import type { Site } from '../platform/site/site.ts'
import type { ObjectStore } from '../platform/storage/object-store.ts'
import type { ImageModels } from '../selfies/providers/image-models.ts'
import type { LegalTexts } from '../shop/legal/legal-texts.ts'
import type { OfferedPresets } from '../stars/open-presets.ts'

/** What operators' pages and commands need of the program; who opens the program brings it. */
export interface OperatorParts {
  readonly config: Config
  readonly log: Logger
  readonly database: Database
  /** Tells other parts and other nodes that something changed. */
  readonly notifications: Notifications
  /** What operators have set: the name, the prices and so on. */
  readonly site: Site
  readonly jobs: JobQueue
  readonly store: ObjectStore
  readonly engine: Engine
  readonly mailer: Mailer
  /** The providers of pictures that are set up. */
  readonly images: ImageModels
  /** The stars to choose from. */
  readonly presets: OfferedPresets
  readonly payments: Payments
  /** Terms, privacy and imprint as they are published. */
  readonly legalTexts: LegalTexts
  /** Judges what goes into a picture and what comes out. */
  readonly moderation: Moderation
  /** Limits on guessing passwords. */
  readonly guessLimits: GuessLimits
  readonly clock: Clock
  readonly fetch: typeof fetch
  readonly randomBytes: RandomBytes
  /** A key for each purpose of our own. */
  readonly keys: Keys
}
