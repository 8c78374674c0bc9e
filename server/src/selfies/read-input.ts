import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import type { SelfieParts } from './parts.ts'
import { photoFromInput } from './input-key.ts'

/** A photo that a generation is made of. Throws when its object is gone. */
export async function readInput(
  context: Pick<SelfieParts, 'store'>,
  key: string | null,
): Promise<NormalisedPhoto> {
  const bytes = key === null ? undefined : await context.store.get(key)
  if (key === null || bytes === undefined) throw new Error(`the input ${key ?? '(none)'} is gone`)
  return photoFromInput(key, bytes)
}
