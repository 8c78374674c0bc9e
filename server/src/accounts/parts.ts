import type pg from 'pg'
import type { LimitedCall } from '@starside/contract/routes/limited-calls.ts'
import type { AccountMemory } from '@starside/engine/account-memory.ts'
import type { Engine } from '@starside/engine/engine-calls.ts'
import type { AnonymousLimits } from './auth/anonymous-limits.ts'
import type { GuessLimits } from './auth/guess-limits.ts'
import type { ProofsOfWork } from './auth/proof-of-work.ts'
import type { FindSession } from './auth/session.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { RateLimits } from '../platform/http/rate-limits.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { Mailer } from '../platform/mail/mailer.ts'
import type { Keys } from '../platform/secrets/keys.ts'
import type { RandomBytes } from '../platform/secrets/random-bytes.ts'
import type { Site } from '../platform/site/site.ts'

/** What accounts need of the program; who opens the program brings it. */
export interface AccountParts {
  readonly config: {
    /** Where people reach the app, without a slash at the end. */
    readonly publicUrl: string
    /** True: the bonus comes when the new user's e-mail is confirmed. */
    readonly referralBonusAfterConfirmation: boolean
    /** A file of mail domains, one a line, that nobody may register with. */
    readonly disposableMailFile: string | undefined
    readonly signInAlerts: boolean
  }
  readonly log: Logger
  readonly database: Database
  readonly pool: pg.Pool
  readonly site: Site
  readonly engine: Engine
  /** Photos that an account has just had inspected. */
  readonly uploads: Pick<AccountMemory<object>, 'forget'>
  readonly mailer: Mailer
  /** Knows which version of the terms holds now. */
  readonly legalTexts: { version(page: 'terms'): string }
  readonly findSession: FindSession
  readonly limits: RateLimits<LimitedCall>
  readonly guessLimits: GuessLimits
  readonly anonymousLimits: AnonymousLimits
  /** What opens some of these limits to a browser that works for it. */
  readonly proofs: ProofsOfWork
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  readonly keys: Keys
}
