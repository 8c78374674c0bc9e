import type { AccountParts } from '../accounts/parts.ts'
import type { SelfieParts } from '../selfies/parts.ts'

type OfSelfies =
  | 'log'
  | 'database'
  | 'store'
  | 'presets'
  | 'images'
  | 'keys'
  | 'clock'
  | 'randomBytes'
  | 'findSession'
  | 'limits'
  | 'jobs'
  | 'findOwnGeneration'
  | 'pictureReads'

/** What events need of the program; who opens the program brings it. */
export interface EventParts
  extends
    Pick<SelfieParts, OfSelfies>,
    Pick<AccountParts, 'anonymousLimits' | 'legalTexts' | 'uploads' | 'engine'> {
  readonly config: SelfieParts['config'] & AccountParts['config']
}
