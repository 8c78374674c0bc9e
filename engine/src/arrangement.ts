import type { PictureLook as Look } from '@starside/contract/arrangement-limits.ts'
import type * as contract from '@starside/contract/arrangement.ts'

/** What tells one variation from another, as the contract declares it; the server has checked its bounds. */
export type Arrangement = contract.Arrangement
export type ArrangedSubject = contract.ArrangedSubject
export type PictureLook = Look

/** What an arrangement is beside where everybody stands, as the engine plans it. */
export const asPlanned = {
  warmth: 0,
  blur: 0.5,
  look: 'natural',
  caption: '',
} as const satisfies Partial<Arrangement>
