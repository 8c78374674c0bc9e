import type { AccountParts } from '../accounts/parts.ts'
import type { Config } from '../config.ts'
import type { PaymentParts } from '../payments/parts.ts'
import type { SelfieParts } from '../selfies/parts.ts'
import type { ShopParts } from '../shop/parts.ts'

type OfSelfies =
  | 'log'
  | 'database'
  | 'notifications'
  | 'site'
  | 'jobs'
  | 'store'
  | 'engine'
  | 'images'
  | 'presets'
  | 'moderation'
  | 'clock'
  | 'randomBytes'
  | 'keys'

/** What operators' pages and commands need of the program; who opens the program brings it. */
export interface OperatorParts
  extends
    Pick<SelfieParts, OfSelfies>,
    Pick<AccountParts, 'mailer' | 'guessLimits'>,
    Pick<PaymentParts, 'payments'>,
    Pick<ShopParts, 'legalTexts'> {
  readonly config: Config
  readonly fetch: typeof fetch
}
