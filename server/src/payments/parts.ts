import type { FindSession } from '../accounts/auth/session.ts'
import type { PlatformParts } from '../platform/parts.ts'
import type { Payments } from './payments.ts'

/** What payments need of the program; who opens the program brings it. */
export interface PaymentParts extends PlatformParts {
  readonly payments: Payments
  readonly findSession: FindSession
}
