import type pg from 'pg'
import type { LimitedCall } from '@starside/contract/routes/limited-calls.ts'
import type { Clock } from './clock.ts'
import type { Database } from './db/database.ts'
import type { Notifications } from './db/notifications.ts'
import type { RateLimits } from './http/rate-limits.ts'
import type { JobQueue } from './jobs/job-queue.ts'
import type { Logger } from './logging/logger.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Keys } from './secrets/keys.ts'
import type { RandomBytes } from './secrets/random-bytes.ts'
import type { Site } from './site/site.ts'
import type { ObjectStore } from './storage/object-store.ts'

/** What every room is built on; who opens the program brings it. */
export interface PlatformParts {
  readonly config: {
    /** Where people reach the app, without a slash at the end. */
    readonly publicUrl: string
    /** Host name of `publicUrl`: also the text of the watermark. */
    readonly publicHost: string
  }
  readonly log: Logger
  readonly database: Database
  /** The pool under it, for named prepared statements. */
  readonly pool: pg.Pool
  readonly notifications: Notifications
  readonly jobs: JobQueue
  readonly store: ObjectStore
  /** What operators have set: the name, the prices and so on. */
  readonly site: Site
  readonly mailer: Mailer
  /** How often each call may be made, across all nodes. */
  readonly limits: RateLimits<LimitedCall>
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  readonly keys: Keys
}
