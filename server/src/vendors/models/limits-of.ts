import type { Aspect } from '@starside/engine/image-provider.ts'
import { likenessMinDefault, priceMicroUsdOf } from './model-description.ts'
import type { ModelDescription } from './model-description.ts'

/** What a model takes and costs. */
export type ModelLimits = Readonly<ReturnType<typeof limitsOf>>

/**
 * What the rest of the program asks about a model.
 * @param ownPriceMicroUsd the operator's price, which wins
 */
export function limitsOf(card: ModelDescription, ownPriceMicroUsd: number | undefined) {
  return {
    model: card.model,
    takesCount: card.takesCount === true,
    /** Of one picture, in millionths of a US dollar; 0 where the operator runs the model. */
    priceMicroUsd: ownPriceMicroUsd ?? priceMicroUsdOf(card),
    promptLengthMax: card.promptLengthMax,
    photosMax: card.photosMax,
    photoPixelsMax: card.photoPixelsMax,
    /** How alike everybody must be to their photo, 0…1. */
    likenessMin: card.likenessMin ?? likenessMinDefault,
    /** What the server cuts or stretches photos to; undefined: it leaves them as they are. */
    photoSize: (aspect: Aspect) => (card.resizesPhotos === true ? sizeOf(card, aspect) : undefined),
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
