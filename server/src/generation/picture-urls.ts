import { createHmac, timingSafeEqual } from 'node:crypto'
import { apiBasePath } from '@starside/contract/api.ts'
import { pictureUrlLifetimeMs } from '@starside/contract/limits.ts'

/** What can be fetched of a generation. Which variant it is, the server decides by the tier. */
export const pictureFiles = ['picture.jpg', 'picture.png', 'thumbnail.jpg'] as const
export type PictureFile = (typeof pictureFiles)[number]

export interface SignedPicture {
  generationId: string
  file: PictureFile
  /** Unix time in milliseconds. */
  expiresAt: number
}

/**
 * An address that opens one picture for about an hour without a token, since an <img> can't send
 * one. Expiry is rounded up to five minutes, so that a page that asks again gets the same address
 * and the browser its cached picture.
 */
export function signPictureUrl(
  key: Buffer,
  options: { generationId: string; file: PictureFile; now: Date },
): string {
  const roundMs = 5 * 60_000
  const expiresAt = Math.ceil((options.now.getTime() + pictureUrlLifetimeMs) / roundMs) * roundMs
  const { generationId, file } = options
  const signature = sign(key, { generationId, file, expiresAt })
  return `${apiBasePath}/pictures/${generationId}/${file}?expires=${expiresAt}&signature=${signature}`
}

/** True when the signature is ours, in constant time. Whether it has expired is asked apart. */
export function isSignatureValid(key: Buffer, picture: SignedPicture, signature: string): boolean {
  const expected = Buffer.from(sign(key, picture))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function sign(key: Buffer, { generationId, file, expiresAt }: SignedPicture): string {
  return createHmac('sha256', key)
    .update(`picture\n${generationId}\n${file}\n${expiresAt}`)
    .digest('base64url')
}
