import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'

/** A photo as a `data:` address (RFC 2397), so that nothing has to be uploaded anywhere. */
export function photoDataUrl(photo: NormalisedPhoto): string {
  return `data:${photo.mediaType};base64,${Buffer.from(photo.bytes).toString('base64')}`
}
