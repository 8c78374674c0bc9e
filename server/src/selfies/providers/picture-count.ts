import type { ModelLimits } from '../../vendors/models/limits-of.ts'
import type { ImageSettings } from './image-settings.ts'

type Settings = Pick<ImageSettings, 'picturesMax'>

/** How many pictures a model is asked for at once. */
export function pictureCountOf(
  { takesCount }: Pick<ModelLimits, 'takesCount'>,
  { picturesMax }: Settings,
): number {
  return takesCount ? picturesMax : 1
}

/** What one request may cost, in millionths of a US dollar. */
export function requestPriceOf(
  provider: Pick<ModelLimits, 'priceMicroUsd' | 'takesCount'>,
  settings: Settings,
): number {
  return provider.priceMicroUsd * pictureCountOf(provider, settings)
}
