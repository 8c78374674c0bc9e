import type { AccountMemory } from '@starside/engine/account-memory.ts'
import type { Engine } from '@starside/engine/engine-calls.ts'
import type { PlatformParts } from '../platform/parts.ts'
import type { AnonymousLimits } from './auth/anonymous-limits.ts'
import type { GuessLimits } from './auth/guess-limits.ts'
import type { ProofsOfWork } from './auth/proof-of-work.ts'
import type { FindSession } from './auth/session.ts'

/** What accounts need of the program; who opens the program brings it. */
export interface AccountParts extends PlatformParts {
  readonly config: PlatformParts['config'] & {
    /** True: the bonus comes when the new user's e-mail is confirmed. */
    readonly referrals: { readonly afterConfirmation: boolean }
    /** A file of mail domains, one a line, that nobody may register with. */
    readonly disposableMailFile: string | undefined
    readonly signInAlerts: boolean
  }
  readonly engine: Engine
  /** Photos that an account has just had inspected. */
  readonly uploads: Pick<AccountMemory<object>, 'forget'>
  /** Knows which version of the terms holds now. */
  readonly legalTexts: { version(page: 'terms'): string }
  readonly findSession: FindSession
  readonly guessLimits: GuessLimits
  readonly anonymousLimits: AnonymousLimits
  /** What opens some of these limits to a browser that works for it. */
  readonly proofs: ProofsOfWork
}
