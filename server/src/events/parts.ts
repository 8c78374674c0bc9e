import type { AccountParts } from '../accounts/parts.ts'
import type { SelfieParts } from '../selfies/parts.ts'

/** What events need of the program; who opens the program brings it. */
export interface EventParts
  extends Omit<SelfieParts, 'config'>, Pick<AccountParts, 'anonymousLimits' | 'legalTexts'> {
  readonly config: SelfieParts['config'] & AccountParts['config']
}
