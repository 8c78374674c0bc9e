import type pg from 'pg'
import type { LimitedCall } from '@starside/contract/routes/limited-calls.ts'
import type { FindSession } from '../accounts/auth/session.ts'
import type { Payments } from './payments.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { RateLimits } from '../platform/http/rate-limits.ts'
import type { JobQueue } from '../platform/jobs/job-queue.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import type { RandomBytes } from '../platform/secrets/random-bytes.ts'
import type { Site } from '../platform/site/site.ts'

/** What payments need of the program; who opens the program brings it. */
export interface PaymentParts {
  readonly config: {
    /** Where people reach the app, without a slash at the end. */
    readonly publicUrl: string
  }
  readonly log: Logger
  readonly database: Database
  readonly pool: pg.Pool
  readonly site: Site
  readonly jobs: JobQueue
  readonly mailer: Mailer
  readonly payments: Payments
  readonly findSession: FindSession
  readonly limits: RateLimits<LimitedCall>
  readonly clock: Clock
  readonly randomBytes: RandomBytes
}
