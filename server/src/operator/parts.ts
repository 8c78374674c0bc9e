import type { AccountParts } from '../accounts/parts.ts'
import type { Config } from '../config.ts'
import type { PaymentParts } from '../payments/parts.ts'
import type { PlatformParts } from '../platform/parts.ts'
import type { SelfieParts } from '../selfies/parts.ts'
import type { ShopParts } from '../shop/parts.ts'

/** What operators' pages and commands need of the program; who opens the program brings it. */
export interface OperatorParts
  extends
    PlatformParts,
    Pick<SelfieParts, 'engine' | 'images' | 'presets' | 'moderation'>,
    Pick<AccountParts, 'guessLimits'>,
    Pick<PaymentParts, 'payments'>,
    Pick<ShopParts, 'legalTexts'> {
  readonly config: Config
  readonly fetch: typeof fetch
}
