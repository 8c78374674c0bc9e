import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import type { PhotoRole } from '@starside/engine/photo/photo-error.ts'
import type { SelfieParts } from './parts.ts'

/** Whose photo an input is. */
export type InputRole = PhotoRole | 'second-star'

/**
 * The object key of an input carries what a reader must know of the photo, so that it need not be
 * decoded again: `inputs/<generation>/user-1536x2048.jpg`. A PNG is a photo with a matte.
 */
export function inputKey(generationId: string, role: InputRole, photo: NormalisedPhoto): string {
  const extension = photo.mediaType === 'image/png' ? 'png' : 'jpg'
  return `inputs/${generationId}/${role}-${photo.widthPx}x${photo.heightPx}.${extension}`
}

/** The photo that `inputKey` was made for, with the bytes that were stored under it. */
export function photoFromInput(key: string, bytes: Uint8Array): NormalisedPhoto {
  const match = /-(\d+)x(\d+)\.(jpg|png)$/.exec(key)
  if (match === null) throw new Error(`'${key}' is not the key of an input`)
  const isPng = match[3] === 'png'
  return {
    bytes,
    mediaType: isPng ? 'image/png' : 'image/jpeg',
    widthPx: Number(match[1]),
    heightPx: Number(match[2]),
    hasMatte: isPng,
  }
}

/** A photo that a generation is made of. Throws when its object is gone. */
export async function readInput(
  context: Pick<SelfieParts, 'store'>,
  key: string | null,
): Promise<NormalisedPhoto> {
  const bytes = key === null ? undefined : await context.store.get(key)
  if (key === null || bytes === undefined) throw new Error(`the input ${key ?? '(none)'} is gone`)
  return photoFromInput(key, bytes)
}
