import type { Aspect } from '@starside/engine/image-provider.ts'
import type { ModelLimits } from '../hosted-provider.ts'
import { likenessMinDefault, priceMicroUsdOf } from './model-description.ts'
import type { ModelDescription } from './model-description.ts'

/**
 * What the rest of the program asks about a model.
 * @param ownPriceMicroUsd the operator's price, which wins
 */
export function limitsOf(
  card: ModelDescription,
  ownPriceMicroUsd: number | undefined,
): ModelLimits {
  return {
    model: card.model,
    takesCount: card.takesCount === true,
    priceMicroUsd: ownPriceMicroUsd ?? priceMicroUsdOf(card),
    promptLengthMax: card.promptLengthMax,
    photosMax: card.photosMax,
    photoPixelsMax: card.photoPixelsMax,
    likenessMin: card.likenessMin ?? likenessMinDefault,
    photoSize: (aspect) => (card.resizesPhotos === true ? sizeOf(card, aspect) : undefined),
  }
}

/** The pixels that a picture of a shape is asked for; undefined where the card names a ratio. */
export function sizeOf(
  { shape }: ModelDescription,
  aspect: Aspect,
): { widthPx: number; heightPx: number } | undefined {
  const value = shape?.values[aspect]
  if (typeof value === 'object') return { widthPx: value.width, heightPx: value.height }
  const [, width, height] = /^(\d+)x(\d+)$/.exec(value ?? '') ?? []
  if (width === undefined || height === undefined) return undefined
  return { widthPx: Number(width), heightPx: Number(height) }
}
