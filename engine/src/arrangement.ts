import type { PictureLook as Look } from '@starside/contract/arrangement-limits.ts'
import { usualLook as look } from '@starside/contract/arrangement-limits.ts'
import type * as contract from '@starside/contract/arrangement.ts'

/** What tells one variation from another, as the contract declares it; the server has checked its bounds. */
export type Arrangement = contract.Arrangement
export type ArrangedSubject = contract.ArrangedSubject
export type BrushStroke = contract.BrushStroke
export type PictureLook = Look

/** How a picture is developed where nobody wished for anything else. */
export const usualLook = look

/** What an arrangement is beside where everybody stands, as the engine plans it. */
export const asPlanned = {
  warmth: 0,
  blur: 0.5,
  look: 'natural',
  caption: '',
} as const satisfies Partial<Arrangement>
