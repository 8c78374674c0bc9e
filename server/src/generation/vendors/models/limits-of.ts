import type { ModelLimits } from '../hosted-provider.ts'
import { priceMicroUsdOf } from './model-card.ts'
import type { ModelCard } from './model-card.ts'

/**
 * What the rest of the program asks about a model.
 * @param ownPriceMicroUsd the operator's price, which wins
 */
export function limitsOf(card: ModelCard, ownPriceMicroUsd: number | undefined): ModelLimits {
  return {
    model: card.model,
    priceMicroUsd: ownPriceMicroUsd ?? priceMicroUsdOf(card),
    promptLengthMax: card.promptLengthMax,
    photosMax: card.photosMax,
  }
}
