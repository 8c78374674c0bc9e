import { createHmac, timingSafeEqual } from 'node:crypto'
import { apiBasePath } from '@starside/contract/api.ts'
import { pictureUrlLifetimeMs } from '@starside/contract/limits.ts'

/**
 * What can be fetched of a picture; a preview of variations only. With the brand mark or without it,
 * the server decides by the tier.
 */
export const pictureFiles = ['picture.jpg', 'picture.png', 'thumbnail.jpg', 'preview.jpg'] as const
export type PictureFile = (typeof pictureFiles)[number]

export interface SignedPicture {
  generationId: string
  /** Of one of its variations; undefined: of the one that the generation is shown as. */
  variationId?: string | undefined
  file: PictureFile
  /** Unix time in milliseconds. */
  expiresAt: number
}

/**
 * An address that opens one picture for about an hour without a token, since an <img> can't send
 * one. Expiry is rounded up to five minutes, so that a page that asks again gets the same address
 * and the browser its cached picture; a buyer gets another one than before the purchase, as what is
 * cached by that has the brand mark.
 */
export function signPictureUrl(
  key: Buffer,
  {
    now,
    isPremium,
    ...picture
  }: Omit<SignedPicture, 'expiresAt'> & { now: Date; isPremium: boolean },
): string {
  const roundMs = 5 * 60_000
  const roundedMs = Math.ceil((now.getTime() + pictureUrlLifetimeMs) / roundMs) * roundMs
  const expiresAt = roundedMs + (isPremium ? 1_000 : 0)
  const { generationId, variationId, file } = picture
  const signature = sign(key, { ...picture, expiresAt })
  const folder = variationId === undefined ? '' : `variations/${variationId}/`
  return `${apiBasePath}/pictures/${generationId}/${folder}${file}?expires=${expiresAt}&signature=${signature}`
}

/** True when the signature is ours, in constant time. Whether it has expired is asked apart. */
export function isSignatureValid(key: Buffer, picture: SignedPicture, signature: string): boolean {
  const expected = Buffer.from(sign(key, picture))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function sign(key: Buffer, { generationId, variationId, file, expiresAt }: SignedPicture): string {
  const path = variationId === undefined ? generationId : `${generationId}/${variationId}`
  return createHmac('sha256', key)
    .update(`picture\n${path}\n${file}\n${expiresAt}`)
    .digest('base64url')
}
