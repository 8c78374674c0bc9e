import type { HostedErrorKind } from '../../vendors/hosted-error.ts'
import type { CircuitState } from './circuit.ts'
import type { ImageSettings } from './image-settings.ts'

/** What is known when an image request asks for its slot. */
export interface SlotFacts {
  /** Requests under way at this provider, over all nodes. */
  underWay: number
  circuit: CircuitState
  /** Millionths of a US dollar. */
  price: number
  spentToday: number
  /** Requests of this user that were given up and may still run at the vendor's. */
  unfinishedOfUser: number
}

export type SlotDecision =
  | { act: 'grant' }
  | { act: 'wait' }
  /** The provider is passed over; the next of the chain is asked. */
  | { act: 'skip'; kind: HostedErrorKind; detail: string }

/** Whether a request may be submitted now. Pure, so that all limits stand in one place. */
export function decideSlot(
  facts: SlotFacts,
  settings: Pick<ImageSettings, 'atOnceMax' | 'dailySpendMaxMicroUsd' | 'unfinishedPerUserMax'>,
): SlotDecision {
  if (facts.circuit === 'open') return skip('provider_down', 'its circuit is open')
  if (facts.unfinishedOfUser >= settings.unfinishedPerUserMax) {
    return skip('provider_busy', 'too many requests of this user are unfinished')
  }
  const spendMax = settings.dailySpendMaxMicroUsd
  if (spendMax !== undefined && facts.spentToday + facts.price > spendMax) {
    return skip('provider_busy', 'the daily spend cap is reached')
  }
  const atOnceMax = facts.circuit === 'half-open' ? 1 : settings.atOnceMax
  return facts.underWay < atOnceMax ? { act: 'grant' } : { act: 'wait' }
}

function skip(kind: HostedErrorKind, detail: string): SlotDecision {
  return { act: 'skip', kind, detail }
}
